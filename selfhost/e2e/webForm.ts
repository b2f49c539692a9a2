import type { Browser, Page } from 'playwright-core';

import type { N8nApi, Workflow } from '../n8n/api';

/** The address of a workflow's form, which works while the workflow is active. */
export const formUrl = ({ url }: N8nApi, { nodes }: Workflow) =>
	`${url}/form/${nodes.find(({ type }) => type.endsWith('.formTrigger'))?.webhookId}`;

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
		await page.goto(formUrl(api, workflow));
		await fill(page);
		await page.getByRole('button', { name: 'Submit' }).click();
		await page.getByRole('heading', { name: 'Thank you' }).waitFor();
		return await page.locator('body').innerText();
	} finally {
		await page.close();
		await api.deactivate(active);
	}
}
