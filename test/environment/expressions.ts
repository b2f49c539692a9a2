import { startExpressionEngine, stopExpressionEngine } from '../support/host';

beforeAll(startExpressionEngine);

// Other tests run in the same worker.
afterAll(stopExpressionEngine);
