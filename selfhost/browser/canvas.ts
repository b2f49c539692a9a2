import type { Locator } from 'playwright-core';

import type { Editor } from './editor';
import { until } from '../waitFor';

const NOWHERE = { x: 0, y: 0, width: 0, height: 0 };

/** The canvas as somebody builds a workflow on it: nodes found by what they do, lines drawn by hand. */
export class Canvas {
	constructor(private readonly editor: Editor) {}

	/** A trigger beside what is there; its form opens. */
	async addTrigger(node: string, event: string) {
		await this.page.getByTestId('node-creator-plus-button').click();
		await this.choose(node, event);
	}

	/** An action behind one output of a node. */
	async addBehind(name: string, node: string, action: string, output = 0) {
		const plus = this.handle('output', name, output).getByTestId('canvas-handle-plus');
		await plus.click();
		await this.choose(node, action);
	}

	/** An action on the line between two nodes. */
	async addBetween(from: string, to: string, node: string, action: string) {
		const plus = this.page.getByTestId('add-connection-button').filter({ visible: true }).first();
		const line = this.edge(from, to).locator('path').first();
		await this.editor.fitView();
		// The canvas glides into place: the line is pointed at until it is there.
		await until(
			`the line from ${from} to ${to} offers a node`,
			async () => {
				const { x, y, width, height } = (await line.boundingBox()) ?? NOWHERE;
				await this.page.mouse.move(x + width / 2, y + height / 2);
				return await plus.isVisible();
			},
			Boolean,
		);
		await plus.click();
		await this.choose(node, action);
	}

	/** What a node, such as an agent, has at hand: by one of the pluses below it. */
	async addBelow(name: string, what: string, node: string) {
		const below = this.page.locator(
			`[data-test-id="canvas-node-input-handle"][data-node-name="${name}"]`,
		);
		const named = below.filter({ has: this.page.getByText(what, { exact: true }) });
		await named.getByTestId('canvas-handle-plus').click();
		await this.choose(node);
	}

	async connect(from: string, to: string) {
		const { mouse } = this.page;
		await this.handle('output', from).hover();
		await mouse.down();
		await this.handle('input', to).hover({ force: true });
		await this.handle('input', to).hover({ force: true });
		await mouse.up();
		await this.edge(from, to).waitFor({ state: 'attached' });
	}

	/** Saves, as Ctrl-S does, and hands back when n8n has it. */
	async save() {
		const saved = this.page.waitForResponse(
			(answer) => answer.request().method() === 'PATCH' && answer.url().includes('/workflows/'),
		);
		await this.page.keyboard.press('Control+s');
		await saved;
	}

	private get page() {
		return this.editor.page;
	}

	/** Of tools, the panel has no actions: theirs are chosen in the form. */
	private async choose(node: string, action?: string) {
		const entry = (items: Locator, text: string) =>
			items.filter({ has: this.page.getByText(text, { exact: true }) }).first();
		const found = this.page.getByTestId('item-iterator-item');
		// The panel may be about to show other nodes than at first: what was typed goes with them.
		await until(
			`the panel lists ${node}`,
			async () => {
				await this.page.getByTestId('node-creator-search-bar').fill(node);
				await this.editor.settle();
				return await entry(found, node).isVisible();
			},
			Boolean,
		);
		await entry(found, node).click();
		if (action !== undefined) await entry(found, action).click();
		await this.editor.form.waitFor();
	}

	private handle(kind: 'input' | 'output', name: string, index = 0) {
		const which = `[data-node-name="${name}"][data-index="${index}"]`;
		return this.page.locator(`[data-test-id="canvas-node-${kind}-handle"]${which}`);
	}

	private edge(from: string, to: string) {
		const which = `[data-source-node-name="${from}"][data-target-node-name="${to}"]`;
		return this.page.locator(`[data-test-id="edge"]${which}`);
	}
}
