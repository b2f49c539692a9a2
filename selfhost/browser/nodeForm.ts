import type { Locator } from 'playwright-core';

import type { Editor } from './editor';

function fail(message: string): never {
	throw new Error(message);
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * The form of the open node for somebody who knows no names but what stands on the screen: fields go
 * by their labels, values by how the lists call them, data by what the input panel shows.
 */
export class NodeForm {
	constructor(private readonly editor: Editor) {}

	/** Adds a row or a field by the words of its button; where a list opens, one of it is to be taken. */
	async add(words: string, what?: string) {
		const { form } = this.editor;
		const list = form
			.getByTestId('collection-parameter-add')
			.filter({ has: this.page.getByPlaceholder(words, { exact: true }) });
		await list
			.or(form.getByRole('button', { name: words, exact: true }))
			.last()
			.click();
		if (what !== undefined) await this.take(what);
	}

	async take(option: string) {
		await this.option(option).click();
	}

	async write(label: string, text: string) {
		const input = this.field(label).locator('input, textarea').first();
		await input.fill(text);
		await this.leave();
	}

	async choose(label: string, option: string) {
		await this.inner(label).click();
		await this.option(option).click();
	}

	async turnOn(label: string) {
		await this.inner(label).click();
		await this.field(label).locator('[role="switch"][aria-checked="true"]').waitFor({
			state: 'attached',
		});
	}

	/** Finds an entry of a list by typing what somebody would, and takes it. */
	async pick(label: string, entry: string, typed = entry) {
		await this.look(label, typed);
		await this.pickFound(label, entry);
	}

	async pickFound(label: string, entry: string) {
		await this.entry(entry).click();
		await this.shows(label, entry);
	}

	/** Leaves the list open that this finds. */
	async look(label: string, typed: string) {
		await this.field(label).getByTestId('rlc-input').click();
		await this.page.getByTestId('rlc-item').filter({ visible: true }).first().waitFor();
		await this.page.getByTestId('rlc-search').filter({ visible: true }).fill(typed);
		await this.editor.settle();
	}

	async switchMode(label: string, mode: string) {
		await this.field(label).getByTestId('rlc-mode-selector').click();
		await this.option(mode).click();
	}

	/** Drags what the input panel shows onto a field; of a node further back where one is named. */
	async drag(name: string, label: string, from?: string) {
		const input = this.page.getByTestId('ndv-input-panel');
		const of = from === undefined ? '' : `[data-node-name="${from}"]`;
		// Not one of the same name within another.
		const paths = [`json.${name}`, `json['${name}']`].map((path) => `[data-value$="${path} }}"]`);
		const data = input.locator(`[data-target="mappable"]${of}:is(${paths.join()})`).first();
		const header = input.getByTestId('run-data-schema-header').filter({ hasText: from });
		const run = input.getByTestId('execute-previous-node');
		const there = from === undefined ? data : data.or(header);
		await there.or(run).first().waitFor();
		if (await run.isVisible()) {
			await run.click();
			await there.first().waitFor();
		}
		if (!(await data.isVisible())) await header.click();
		const field = this.inner(label);
		await field.scrollIntoViewIfNeeded();
		await data.hover();
		await this.page.mouse.down();
		const { x, y, width, height } = (await field.boundingBox()) ?? fail(`'${label}' is not there`);
		// n8n takes it for a click unless it moves, and looks what lies below with each move.
		for (const above of [3, 0]) {
			await this.page.mouse.move(x + width / 2, y + height / 2 - above, { steps: 4 });
		}
		await this.page.mouse.up();
		await this.field(label).locator('.cm-content').filter({ hasText: name }).waitFor();
		await this.leave();
	}

	/** Turns a field into an expression and types it. */
	async express(label: string, expression: string) {
		await this.field(label).hover();
		await this.field(label).getByTestId('radio-button-expression').click();
		await this.field(label).locator('.cm-content').fill(expression);
		await this.leave();
	}

	/** Takes an entry of a list of several, or drops one that was taken, by what stands before its name. */
	async tick(label: string, entry: string) {
		await this.seek(label, entry);
		const words = new RegExp(`^${escaped(entry)}( \\(|$)`);
		const { page } = this;
		await page.getByRole('option').filter({ visible: true, hasText: words }).click();
	}

	/** Leaves a list of several open, with what this finds in it. */
	async seek(label: string, typed: string) {
		const list = this.field(label);
		// Disabled as long as n8n has not got what there is to choose.
		await list.locator('input[readonly]:enabled').waitFor();
		await list.locator('input:not([readonly])').fill(typed);
		await this.editor.settle();
	}

	/** Of a tool: the sparkle beside the field. */
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

	/** What the list that is open offers. */
	entry(text: string) {
		return this.page
			.getByTestId('rlc-item')
			.filter({ visible: true })
			.filter({ hasText: text })
			.first();
	}

	private get page() {
		return this.editor.page;
	}

	/** The newest field of that label: rows are added at the end. */
	private field(label: string): Locator {
		const words = this.page.locator('label').getByText(label, { exact: true });
		return this.editor.form.getByTestId('input-label').filter({ has: words }).last();
	}

	private inner(label: string) {
		return this.field(label).locator('[data-parameter-path]').first();
	}

	private option(text: string) {
		// Some have a description below their name.
		return this.page
			.getByRole('option')
			.filter({ visible: true })
			.filter({ has: this.page.getByText(text, { exact: true }) });
	}

	private async shows(label: string, entry: string) {
		const input = this.field(label).getByTestId('rlc-input');
		await this.page.waitForFunction(
			([element, text]) => new RegExp(text as string).test((element as { value: string }).value),
			[await input.elementHandle(), escaped(entry)] as const,
		);
	}

	/** Tips lie over the next fields as long as this one has the focus. */
	private async leave() {
		await this.editor.settle();
		await this.page.evaluate('document.activeElement.blur()');
	}
}
