import type { Locator } from 'playwright-core';

import { waitFor } from '../waitFor';
import type { Editor } from './editor';

function fail(message: string): never {
	throw new Error(message);
}

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Fills in the form of the open node by what is visible alone: the labels of fields, the entries of
 * lists, and the data in the input panel.
 */
export class NodeForm {
	constructor(private readonly editor: Editor) {}

	/** Clicks a button that adds a row or field; where that opens a list, chooses an option of it. */
	async add(button: string, option?: string) {
		const { form } = this.editor;
		const named = form.getByRole('button', { name: button, exact: true });
		const opener = this.lists(button).or(named).last();
		if (option === undefined) return await opener.click();
		const added = form.getByText(option, { exact: true }).last();
		await this.editor.chooseUntil(opener, option, async () => await added.isVisible());
	}

	private lists(placeholder: string) {
		return this.editor.form
			.getByTestId('collection-parameter-add')
			.filter({ has: this.page.getByPlaceholder(placeholder, { exact: true }) });
	}

	async chooseOption(option: string) {
		await this.editor.option(option).click();
	}

	/** Scrolls the open list to an option. */
	async showOption(option: string) {
		await this.editor.option(option).scrollIntoViewIfNeeded();
	}

	async fill(label: string, text: string) {
		const input = this.field(label).locator('input, textarea').first();
		await input.click();
		await input.fill(text);
		await this.blur();
	}

	async choose(label: string, option: string) {
		await this.editor.chooseFromList(this.control(label), option);
	}

	/** Maps the input by the names of its fields, and chooses the field by which records are found. */
	async mapAutomatically(matchOn: string) {
		await this.choose('Input Mode', 'Map Automatically');
		await this.editor.form.getByTestId('matching-column-select').click();
		await this.editor.option(matchOn).click();
	}

	/** Adds a column and fills it in. */
	async fillColumn(label: string, text: string) {
		await this.editor.form.getByTestId('add-fields-select').getByRole('button').click();
		await this.page.getByRole('menuitem', { name: label, exact: true }).click();
		await this.fill(label, text);
	}

	async turnOn(label: string) {
		await this.control(label).click();
		await this.field(label).locator('[role="switch"][aria-checked="true"]').waitFor({
			state: 'attached',
		});
	}

	/** Searches the list of a resource locator and picks an entry. */
	async pick(label: string, entry: string, typed = entry) {
		await this.searchList(label, typed);
		await this.pickEntry(label, entry);
	}

	async pickEntry(label: string, entry: string) {
		await this.listEntry(entry).click();
		await this.waitForEntry(label, entry);
	}

	/** Searches the list of a resource locator and leaves it open. */
	async searchList(label: string, typed: string) {
		// Columns that arrive while a list is open empty it, and n8n does not fill it again.
		await this.editor.form.getByText(/^\s*Fetching /).waitFor({ state: 'hidden' });
		await this.field(label).getByTestId('rlc-input').click();
		await this.page.getByTestId('rlc-item').filter({ visible: true }).first().waitFor();
		await this.page.getByTestId('rlc-search').filter({ visible: true }).fill(typed);
		await this.editor.passDebounce();
	}

	async switchMode(label: string, mode: string) {
		await this.field(label).getByTestId('rlc-mode-selector').click();
		await this.editor.option(mode).click();
	}

	/** Drags a value from the input panel onto a field; `from` names a node before the previous one. */
	async drag(name: string, label: string, from?: string) {
		const input = this.page.getByTestId('ndv-input-panel');
		const ofNode = from === undefined ? '' : `[data-node-name="${from}"]`;
		// The exact path excludes a nested value of the same name.
		const paths = [`json.${name}`, `json['${name}']`].map((path) => `[data-value$="${path} }}"]`);
		const data = input.locator(`[data-target="mappable"]${ofNode}:is(${paths.join()})`).first();
		const header = input.getByTestId('run-data-schema-header').filter({ hasText: from });
		const collapsed = header.locator('.collapsed');
		const runPrevious = input.getByTestId('execute-previous-node');
		const shown = from === undefined ? data : data.or(header);
		await shown.or(runPrevious).first().waitFor();
		if (await runPrevious.isVisible()) {
			await runPrevious.click();
			await shown.first().waitFor();
		}
		// The header of a node may appear shortly before its values, and a second click would hide them.
		await waitFor(
			'the values are shown',
			async () => {
				if (from !== undefined && (await collapsed.isVisible())) await collapsed.click();
				return await data.isVisible();
			},
			Boolean,
		);
		const field = this.control(label);
		await field.scrollIntoViewIfNeeded();
		await data.hover();
		await this.page.mouse.down();
		const { x, y, width, height } =
			(await field.boundingBox()) ?? fail(`There is no field '${label}'`);
		// n8n needs several moves: without them it sees a click, and it finds the field on a move.
		for (const offset of [3, 0]) {
			await this.page.mouse.move(x + width / 2, y + height / 2 - offset, { steps: 4 });
		}
		await this.page.mouse.up();
		await this.field(label).locator('.cm-content').filter({ hasText: name }).waitFor();
		await this.blur();
	}

	/** Turns a field into an expression and types it. */
	async fillExpression(label: string, expression: string) {
		await this.field(label).hover();
		await this.field(label).getByTestId('radio-button-expression').click();
		await this.field(label).locator('.cm-content').fill(expression);
		await this.blur();
	}

	/** Selects or deselects an option of a multi-select by the label before its name. */
	async toggleOption(label: string, entry: string) {
		await this.searchOptions(label, entry);
		const text = new RegExp(`^${escapeRegExp(entry)}( \\(|$)`);
		const { page } = this;
		await page.getByRole('option').filter({ visible: true, hasText: text }).click();
	}

	/** Searches a multi-select and leaves it open. */
	async searchOptions(label: string, typed: string) {
		const list = this.field(label);
		// The field is disabled until n8n has loaded the options.
		await list.locator('input[readonly]:enabled').waitFor();
		await list.locator('input:not([readonly])').fill(typed);
		await this.editor.passDebounce();
	}

	/** Clicks the button of a tool's field that lets the model define the value. */
	async letModelFill(label: string) {
		await this.field(label).getByTestId('from-ai-override-button').click();
		await this.field(label).getByTestId('fromAI-override-field').waitFor();
	}

	async rename(name: string) {
		const title = this.page.getByTestId('node-title-container');
		await title.click();
		await title.locator('input').fill(name);
		await title.locator('input').press('Enter');
		await title.getByTestId('inline-edit-preview').getByText(name, { exact: true }).waitFor();
	}

	/** An entry of the open list. */
	listEntry(text: string) {
		return this.page
			.getByTestId('rlc-item')
			.filter({ visible: true })
			.filter({ hasText: text })
			.first();
	}

	private get page() {
		return this.editor.page;
	}

	/** The last field with this label, because rows are added at the end. */
	private field(label: string): Locator {
		const text = this.page.locator('label').getByText(label, { exact: true });
		return this.editor.form.getByTestId('input-label').filter({ has: text }).last();
	}

	private control(label: string) {
		return this.field(label).locator('[data-parameter-path]').first();
	}

	private async waitForEntry(label: string, entry: string) {
		const input = this.field(label).getByTestId('rlc-input');
		await this.page.waitForFunction(
			([element, text]) => new RegExp(text as string).test((element as { value: string }).value),
			[await input.elementHandle(), escapeRegExp(entry)] as const,
		);
	}

	/** Removes the focus, because the tooltips of a focused field cover the next fields. */
	private async blur() {
		await this.editor.passDebounce();
		await this.page.evaluate('document.activeElement.blur()');
	}
}
