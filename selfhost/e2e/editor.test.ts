import type { Browser } from 'playwright-core';

import { Editor, openBrowser } from '../browser';
import { owner } from '../session';
import { world } from './world';

describe('the node in the editor', () => {
	const { url, credentialData } = world();
	let browser: Browser;
	let editor: Editor;

	beforeAll(async () => {
		browser = await openBrowser();
		editor = await Editor.logIn(browser, url, owner);
	});

	afterAll(async () => {
		await browser?.close();
	});

	beforeEach(async () => {
		await editor.openNewWorkflow();
	});

	it('is found in the node panel by the name of the service', async () => {
		const found = await editor.searchNodes('corrigo');

		expect(await found.allTextContents()).toContainEqual(expect.stringMatching(/^Corrigo/));
	});

	it('takes a new credential, which the form tests as it saves it, and runs with it', async () => {
		await editor.addAction('Corrigo', 'Discover the host of the company');
		const form = await editor.newCredential();
		await editor.choose('region', 'Custom', form);
		for (const [name, value] of Object.entries(credentialData)) {
			if (name !== 'region') await editor.fill(name, String(value), form);
		}
		expect(await editor.saveCredential()).toMatchObject({ status: 'OK' });

		await editor.executeNode();

		expect(await editor.outputItems()).toEqual([
			expect.objectContaining({ CompanyName: credentialData.companyName }),
		]);
	});

	it('shows the words of the service when a record is missing', async () => {
		await editor.addAction('Corrigo', 'Get a record');
		await editor.locate('entity', 'name', 'WorkOrder');
		await editor.locate('id', 'id', '999999999');

		const output = await editor.executeNode();

		expect(await output.innerText()).toContain('WorkOrder with Id 999999999 is not found.');
	});
});
