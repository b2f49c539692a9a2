import { closeAll } from '../process/program';

export default closeAll;
