import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { chromium, selectors, type Browser, type Locator, type Page } from 'playwright-core';

import type { CredentialTest, Session } from '../n8n/api';
import { waitFor } from '../waitFor';
import { chromiumBinary } from './chromium';

/** A busy machine takes more than half a minute to load the editor. */
const TIMEOUT_MS = 120_000;
const DEBOUNCE_MS = 1000;
const MAX_SCREENSHOTS = 30;
/** An editor that shows no choice for this long has lost it, even on a slow machine. */
const LOST_MS = 10_000;

// n8n marks its elements by `data-test-id`, which is not Playwright's default.
selectors.setTestIdAttribute('data-test-id');

/** Works in containers, which have no sandbox and no graphics, and makes no requests of its own. */
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

/** The editor in a browser. Every method waits for the element it acts on, never for a time. */
export class Editor {
	private constructor(readonly page: Page) {}

	/** Continues a login, because each page of one takes seconds to load. */
	static async open(browser: Browser, url: string, { browserId, cookie }: Session) {
		const context = await browser.newContext({
			baseURL: url,
			viewport: { width: 1280, height: 800 },
			permissions: ['clipboard-read', 'clipboard-write'],
			reducedMotion: 'reduce',
		});
		const [name, value] = cookie.split('=');
		await context.addCookies([{ name, value, url }]);
		const stored = {
			'n8n-browserId': browserId,
			// Otherwise a hint covers the buttons of the first output in a browser.
			N8N_PIN_DATA_DISCOVERY_NDV: 'true',
		};
		await context.addInitScript(`Object.assign(localStorage, ${JSON.stringify(stored)})`);
		const page = await context.newPage();
		page.setDefaultTimeout(TIMEOUT_MS);
		await page.clock.install();
		return new Editor(page);
	}

	async openWorkflow(id: string) {
		await this.goTo(`/workflow/${id}`, `/rest/workflows/${id}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/** Reads the credentials again after the API has changed them. */
	async refreshCredentials() {
		await this.goTo('/home/credentials', '/rest/credentials');
	}

	/**
	 * Goes to a page as the links of the editor do, because loading the editor takes seconds, and waits for
	 * what it reads.
	 */
	private async goTo(path: string, source: string) {
		const { page } = this;
		const read = page.waitForResponse((answer) => new URL(answer.url()).pathname === source);
		const dialogs = page.getByRole('dialog').filter({ visible: true });
		// Most tests end in the form of a node, which is a dialog itself.
		if ((await dialogs.count()) === 1 && (await this.form.isVisible())) await this.closeNode();
		// A failed test may have left another one open.
		if (page.url() === 'about:blank' || (await dialogs.count()) > 0) {
			await page.goto(path);
		} else {
			const router = "document.querySelector('#app').__vue_app__.config.globalProperties.$router";
			await page.evaluate(`${router}.push('${path}')`);
		}
		await read;
	}

	async fitView() {
		await this.page.getByTestId('zoom-to-fit').click();
		await this.passDebounce();
	}

	/** Types into the node panel and returns the entries it offers. */
	async searchNodes(text: string, node = text): Promise<Locator> {
		const { page } = this;
		const search = page.getByTestId('node-creator-search-bar');
		if (!(await search.isVisible())) {
			// The first button continues a node, the second one is on an empty canvas.
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
	 * Adds a node by one of its actions in the panel, and opens its form. On an empty canvas the panel
	 * offers only triggers, so the workflow needs one before.
	 */
	async addAction(node: string, action: string) {
		const found = await this.searchNodes(node);
		await this.withText(found, node).click();
		await this.withText(found, action).click();
		await this.waitForForm();
	}

	withText(items: Locator, text: string) {
		return items.filter({ has: this.page.getByText(text, { exact: true }) }).first();
	}

	canvasNode(name: string) {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	async openNode(name: string) {
		await this.canvasNode(name).dblclick();
		await this.waitForForm();
	}

	/** Waits for the form of a node of this package, and for its credential, without which lists are empty. */
	async waitForForm() {
		await this.form.waitFor();
		await this.credentialSelect.waitFor();
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
		await this.passDebounce();
	}

	/** Options may have a description below their name, so their whole text would not match. */
	option(text: string) {
		return this.page
			.getByRole('option')
			.filter({ visible: true })
			.filter({ has: this.page.getByText(text, { exact: true }) });
	}

	async choose(name: string, option: string, within?: Locator) {
		await this.chooseFromList(this.parameter(name, within), option);
	}

	async chooseFromList(control: Locator, option: string) {
		const shown = control.locator('input').first();
		await this.chooseUntil(control, option, async () => (await shown.inputValue()) === option);
	}

	/**
	 * A form that is still loading forgets a choice, and one that moves between press and release loses
	 * it: it is then made again. Tests that count presses count them once.
	 */
	async chooseUntil(opener: Locator, option: string, isDone: () => Promise<boolean>) {
		const clicks = await this.page.evaluate('window.clicks');
		let chosenAt = 0;
		await waitFor(
			`'${option}' is chosen`,
			async () => {
				if (Date.now() - chosenAt > LOST_MS) {
					await this.page.evaluate(`window.clicks = ${String(clicks)}`);
					if (!(await this.option(option).isVisible())) await opener.click();
					await this.option(option).click();
					chosenAt = Date.now();
				}
				return await isDone();
			},
			Boolean,
		);
	}

	/**
	 * Ends the delay after which the editor reads a typed text: moves the page's clock forward, and
	 * back again because n8n compares it with the clock of the server.
	 */
	async passDebounce() {
		await this.page.clock.fastForward(DEBOUNCE_MS);
		await this.page.clock.setSystemTime(new Date());
	}

	/** Enters a value into a resource locator; a locator with a single mode has no mode selector. */
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
		await this.passDebounce();
	}

	/** Opens the list of a resource locator, searches it, and returns its entries. */
	async searchList(name: string, text = '', within?: Locator) {
		await this.parameter(name, within).getByTestId('rlc-input').click();
		const found = this.page.getByTestId('rlc-item').filter({ visible: true });
		await found.first().waitFor();
		if (text) await this.page.getByTestId('rlc-search').filter({ visible: true }).fill(text);
		await this.passDebounce();
		return found;
	}

	/** Searches the list of a resource locator and chooses an entry. */
	async pick(name: string, text: string, entry: string, within?: Locator) {
		const found = await this.searchList(name, text, within);
		await found.filter({ hasText: entry }).first().click();
	}

	/** Opens the form for another credential of the open node. */
	async newCredential() {
		await this.credentialSelect.click();
		await this.page.getByTestId('node-credentials-select-item-new').click();
		// Without its name, which n8n makes with the defaults of the form, the credential cannot be saved.
		await this.credentialForm.getByTestId('credential-name').waitFor();
		return this.credentialForm;
	}

	/** Opens the credential of the open node. */
	async editCredential() {
		await this.page.getByTestId('credential-edit-button').click();
		await this.credentialForm.waitFor();
		return this.credentialForm;
	}

	private get credentialSelect() {
		return this.page.getByTestId('node-credentials-select');
	}

	get credentialForm() {
		return this.page.getByTestId('editCredential-modal');
	}

	/** Saves the credential, which tests it; the form closes if the test passes. */
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
	 * Runs the open node and returns its output panel. A node that listens for a test event continues
	 * when that is sent.
	 */
	async executeNode(sendTestEvent: () => Promise<unknown> = async () => {}) {
		const started = this.page.waitForResponse((answer) => answer.url().endsWith('/run'));
		await this.page.getByTestId('node-execute-button').click();
		await started;
		await sendTestEvent();
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

	/** The heading of a column, if the output is shown as a table. */
	outputColumn(name: string) {
		const headings = this.page.getByTestId('output-panel').locator('th');
		return headings.getByText(name, { exact: true });
	}

	/** The items in the output panel; uses the copy button, because the view shows only what fits. */
	async outputItems() {
		const output = this.page.getByTestId('output-panel');
		await this.showOutputAs('json');
		await output.getByTestId('ndv-data-container').hover();
		await this.page.evaluate('navigator.clipboard.writeText("")');
		await output.getByTestId('ndv-json-actions').getByRole('button').first().click();
		const copied = await waitFor(
			'the output is in the clipboard',
			async () => await this.page.evaluate<string>('navigator.clipboard.readText()'),
			(text) => text !== '',
		);
		return JSON.parse(copied) as IDataObject[];
	}

	/** A screenshot of the page at rest, without notifications. */
	async screenshot(path: string) {
		const style = '.el-notification { display: none }';
		let last = await this.page.screenshot({ style });
		for (let taken = 1; taken < MAX_SCREENSHOTS; taken += 1) {
			const next = await this.page.screenshot({ style });
			if (next.equals(last)) break;
			last = next;
		}
		await mkdir(dirname(path), { recursive: true });
		await writeFile(path, last);
	}
}
