import type { Browser, Page } from 'playwright-core';

import type { N8nApi, Workflow } from '../n8n/api';

/** Opens, fills in and submits a form of n8n, and returns the text of the page that follows. */
export async function submitForm(
	api: N8nApi,
	browser: Browser,
	workflow: Workflow,
	fill: (page: Page) => Promise<void>,
): Promise<string> {
	const active = await api.activate(workflow);
	const page = await browser.newPage();
	try {
		const trigger = workflow.nodes.find(({ type }) => type.endsWith('.formTrigger'));
		await page.goto(`${api.url}/form/${trigger?.webhookId}`);
		await fill(page);
		await page.getByRole('button', { name: 'Submit' }).click();
		await page.getByRole('heading', { name: 'Thank you' }).waitFor();
		return await page.locator('body').innerText();
	} finally {
		await page.close();
		await api.deactivate(active);
	}
}
