import { cleanUp } from '../process/program';

export default cleanUp;
