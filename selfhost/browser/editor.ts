import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { chromium, selectors, type Browser, type Locator, type Page } from 'playwright-core';

import type { CredentialTest, Owner } from '../n8n/api';
import { chromiumBinary } from './chromium';

/** A machine with much else to do takes more than half a minute to load the editor. */
const LONGEST_WAIT_MS = 60_000;
const DEBOUNCE_MS = 1000;
const MOST_PICTURES = 30;

// n8n marks its elements by `data-test-id`, not by playwright's default name.
selectors.setTestIdAttribute('data-test-id');

/** Headless and, for containers, without sandbox and graphics; it calls nobody on its own account. */
export async function openBrowser(): Promise<Browser> {
	return await chromium.launch({
		executablePath: chromiumBinary(),
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
}

/** The editor as a user sees it. Every method waits for what it acts on, never for time to pass. */
export class Editor {
	private constructor(readonly page: Page) {}

	static async logIn(browser: Browser, url: string, { email, password }: Owner) {
		const page = await browser.newPage({ baseURL: url, viewport: { width: 1280, height: 800 } });
		page.setDefaultTimeout(LONGEST_WAIT_MS);
		await page.clock.install();
		await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
		await page.goto('/signin');
		await page.getByTestId('emailOrLdapLoginId').locator('input').fill(email);
		await page.getByTestId('password').locator('input').fill(password);
		await page.getByTestId('form-submit-button').click();
		await page.waitForURL((at) => !at.pathname.startsWith('/signin'));
		return new Editor(page);
	}

	async openNewWorkflow() {
		await this.page.goto('/workflow/new');
		await this.page.getByTestId('canvas-plus-button').waitFor();
	}

	async openWorkflow(id: string) {
		await this.page.goto(`/workflow/${id}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/** Puts the whole workflow into view. */
	async fitView() {
		await this.page.getByTestId('zoom-to-fit').click();
		await this.settle();
	}

	/** Types into the node panel and hands back the entries it then offers. */
	async searchNodes(text: string, node = text): Promise<Locator> {
		const { page } = this;
		const search = page.getByTestId('node-creator-search-bar');
		if (!(await search.isVisible())) {
			// Behind the node that is there, or on an empty canvas.
			const next = page.getByTestId('canvas-handle-plus');
			await next.or(page.getByTestId('canvas-plus-button')).first().click();
		}
		await search.fill(text);
		const found = page.getByTestId('item-iterator-item');
		await found
			.filter({ hasText: new RegExp(node, 'i') })
			.first()
			.waitFor();
		return found;
	}

	/**
	 * Chooses one of the actions that the panel lists below a node; its form opens. On an empty canvas
	 * the panel offers triggers: open a workflow that has one.
	 */
	async addAction(node: string, action: string) {
		const entry = (items: Locator, text: string) =>
			items.filter({ has: this.page.getByText(text, { exact: true }) }).first();
		const found = await this.searchNodes(node);
		await entry(found, node).click();
		await entry(found, action).click();
		await this.form.waitFor();
	}

	async openNode(name: string) {
		await this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`).dblclick();
		await this.form.waitFor();
	}

	async closeNode() {
		await this.page.getByTestId('ndv-close-button').click();
		await this.form.waitFor({ state: 'hidden' });
	}

	get form() {
		return this.page.getByTestId('node-parameters');
	}

	parameter(name: string, within: Locator = this.form) {
		return within.getByTestId(`parameter-input-${name}`);
	}

	async fill(name: string, value: string, within?: Locator) {
		const field = this.parameter(name, within).locator('input, textarea').first();
		await field.fill(value);
		await this.settle();
	}

	async choose(name: string, option: string, within?: Locator) {
		await this.parameter(name, within).click();
		await this.page.getByRole('option', { name: option, exact: true }).click();
	}

	/**
	 * The editor takes a text over only some time after the last key: its clock is put past that, and
	 * back, as n8n compares it with the time of the server.
	 */
	async settle() {
		await this.page.clock.fastForward(DEBOUNCE_MS);
		await this.page.clock.setSystemTime(new Date());
	}

	/** Enters a value into a resource locator; one with a single mode shows no choice of modes. */
	async locate(name: string, mode: string, value: string) {
		const locator = this.parameter(name);
		const input = locator.getByTestId('rlc-input');
		await input.waitFor();
		const modes = locator.getByTestId('rlc-mode-selector');
		if (await modes.isVisible()) {
			await modes.click();
			await this.page.getByTestId(`mode-${mode}`).filter({ visible: true }).click();
		}
		await input.fill(value);
		await this.settle();
	}

	/** Opens the list of a resource locator, searches it, and hands back what it offers. */
	async searchList(name: string, text = '', within?: Locator) {
		await this.parameter(name, within).getByTestId('rlc-input').click();
		const found = this.page.getByTestId('rlc-item').filter({ visible: true });
		await found.first().waitFor();
		if (text) await this.page.getByTestId('rlc-search').filter({ visible: true }).fill(text);
		await this.settle();
		return found;
	}

	/** Chooses from the list of a resource locator by typing. */
	async pick(name: string, text: string, entry: string, within?: Locator) {
		const found = await this.searchList(name, text, within);
		await found.filter({ hasText: entry }).first().click();
	}

	/** Opens the form for a new credential of the node whose form is open. */
	async newCredential() {
		const slot = this.page.getByTestId('node-credentials-slot');
		const empty = slot.getByTestId('node-credentials-empty-state');
		const select = slot.getByTestId('node-credentials-select');
		await empty.or(select).first().waitFor();
		if (await empty.isVisible()) {
			await empty.getByRole('button').first().click();
		} else {
			await select.click();
			await this.page.getByTestId('node-credentials-select-item-new').click();
		}
		await this.credentialForm.waitFor();
		return this.credentialForm;
	}

	/** Opens the credential that the node uses. */
	async editCredential() {
		await this.page.getByTestId('credential-edit-button').click();
		await this.credentialForm.waitFor();
		return this.credentialForm;
	}

	get credentialForm() {
		return this.page.getByTestId('editCredential-modal');
	}

	/** Saves the credential, which tests it; the form closes when the test is passed. */
	async saveCredential(): Promise<CredentialTest> {
		const tested = this.page.waitForResponse((answer) =>
			answer.url().endsWith('/credentials/test'),
		);
		await this.credentialForm.getByTestId('credential-save-button').click();
		const { data } = (await (await tested).json()) as { data: CredentialTest };
		if (data.status === 'OK') await this.credentialForm.waitFor({ state: 'hidden' });
		else await this.credentialForm.getByRole('button', { name: 'Retry' }).waitFor();
		return data;
	}

	async closeCredential() {
		await this.credentialForm.getByRole('button', { name: 'Close this dialog' }).click();
		await this.credentialForm.waitFor({ state: 'hidden' });
	}

	/**
	 * Runs the node whose form is open and hands back its output panel. One that listens for a test
	 * event goes on with what `happens` then.
	 */
	async executeNode(happens: () => Promise<unknown> = async () => {}) {
		const started = this.page.waitForResponse((answer) => answer.url().endsWith('/run'));
		await this.page.getByTestId('node-execute-button').click();
		await started;
		await happens();
		const output = this.page.getByTestId('output-panel');
		const failed = output.getByTestId('node-error-message');
		await output.getByTestId('ndv-items-count').or(failed).first().waitFor();
		const running = this.page.locator('[data-test-id="node-execute-button"][aria-busy="true"]');
		await running.waitFor({ state: 'hidden' });
		return output;
	}

	async showOutputAs(view: 'json' | 'schema' | 'table') {
		await this.page.getByTestId('output-panel').getByTestId(`radio-button-${view}`).click();
	}

	/** The items in the output panel, by its copy button: the view itself draws only what fits. */
	async outputItems() {
		const output = this.page.getByTestId('output-panel');
		await this.showOutputAs('json');
		await output.getByTestId('ndv-data-container').hover();
		await this.page.evaluate('navigator.clipboard.writeText("")');
		await output.getByTestId('ndv-json-actions').getByRole('button').first().click();
		const copied = await this.page.waitForFunction('navigator.clipboard.readText()');
		return JSON.parse((await copied.jsonValue()) as string) as IDataObject[];
	}

	/** A picture of the page at rest, without the messages that come and go. */
	async screenshot(path: string) {
		const style = '.el-notification { display: none }';
		let last = await this.page.screenshot({ style });
		for (let taken = 1; taken < MOST_PICTURES; taken += 1) {
			const next = await this.page.screenshot({ style });
			if (next.equals(last)) break;
			last = next;
		}
		await mkdir(dirname(path), { recursive: true });
		await writeFile(path, last);
	}
}
