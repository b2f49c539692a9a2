/** The example for employees, with n8n's own form, files and table. */
import { readFile } from 'node:fs/promises';

import { startSandbox } from '../../sandbox';
import { openBrowser } from '../browser/editor';
import { readExample } from '../examples';
import { withCredential } from '../workflows/credentials';
import { ownerApi, testEnvironment } from './environment';
import { formUrl } from './webForm';

const { credential } = testEnvironment();
const api = ownerApi(testEnvironment());

it('creates, changes and suspends employees as a file has them, and nobody from an empty one', async () => {
	const [sandbox, browser] = await Promise.all([startSandbox({ workOrders: 5 }), openBrowser()]);
	const { store } = sandbox;
	const own = await api.createCredential('Employees', credential.type, sandbox.credentials);
	const example = withCredential(readExample('employees-from-an-hr-file.json'), own);
	const active = await api.activate(await api.createWorkflow(example));
	const page = await browser.newPage();
	const upload = async (rows: string[]) => {
		await page.goto(formUrl(api, active));
		const buffer = Buffer.from(rows.join('\n'));
		await page
			.locator('input[type=file]')
			.setInputFiles({ name: 'employees.csv', mimeType: 'text/csv', buffer });
		await page.getByRole('button', { name: 'Submit' }).click();
	};
	const [left, ...others] = store.rows('Employee').filter(({ Number: number }) => number);
	const head = 'Employee number,First name,Last name,Job title,Username,Role';
	const file = [
		head,
		...others.map(({ Number: number }, index) => `${String(number)},,,${index ? '' : 'Lead'},,`),
		'NEW-1,Zoë,"New, Jr.",,zoe,Technician',
	];
	try {
		for (const rows of [[head], ['', '']]) {
			await upload(rows);
			await page.getByText('so nobody is suspended either').waitFor();
		}
		await upload(file);
		await page.getByText(/to create: 1, to change: 1, .*to suspend: 1\./).waitFor();
		await page.getByText(`not in the file: ${String(left.DisplayAs)}`).waitFor();
		await page.getByLabel('Go ahead?').selectOption('Yes');
		const downloading = page.waitForEvent('download');
		await page.getByRole('button', { name: 'Submit' }).click();
		const outcome = await readFile(await (await downloading).path(), 'utf8');

		expect(outcome.trim().split(/\r?\n/).slice(-2)).toEqual([
			expect.stringMatching(/^NEW-1,Zoë,"New, Jr\.",,zoe,Technician,created,,\d+,$/),
			expect.stringMatching(`^${String(left.Number)},.*,suspended,,${left.Id},$`),
		]);
		expect(store.existing('Employee', others[0].Id).JobTitle).toBe('Lead');
		expect(store.existing('Employee', left.Id).IsRemoved).toBe(true);
		await upload(file);
		await page.getByText('to create: 0, to change: 0, unchanged: 24, to suspend: 0.').waitFor();
	} finally {
		await page.close();
		await api.deactivate(active);
		await api.deleteCredential(own);
		await Promise.all([browser.close(), sandbox.close()]);
	}
});
