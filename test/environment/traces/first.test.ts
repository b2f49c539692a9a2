import { leaveTraces } from './leaveTraces';

it('a test file finds nothing that another one has left', leaveTraces);
