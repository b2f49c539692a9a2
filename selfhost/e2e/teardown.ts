import { closeAll } from '../opened';

export default closeAll;
