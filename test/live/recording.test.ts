import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readRecording, writeRecording } from '../../scripts/live/recording';

const folder = mkdtempSync(join(tmpdir(), 'recording-'));

afterAll(() => rmSync(folder, { recursive: true }));

const record = (name: string, secret: string) => {
	const url = 'https://corrigo.test/api/v1/query/WorkOrder';
	const exchanges = [{ method: 'POST', url, body: null, headers: {}, answer: { [secret]: 1 } }];
	writeRecording(join(folder, name), exchanges, [secret]);
};

it('a recording with a value of the credential is not written', () => {
	expect(() => record('left', 'WorkOrderId')).toThrow('Nothing was written');
	expect(readdirSync(folder)).toEqual([]);
});

it('a Company whose name is part of a published word can be recorded', () => {
	record('short', 'Corp');
	expect(readRecording(join(folder, 'short'))).toHaveLength(1);
	expect(readdirSync(join(folder, 'short')).sort()).toEqual(['exchanges.json', 'kept.md']);
});
