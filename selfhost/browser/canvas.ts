import type { IDataObject } from 'n8n-workflow';

import { waitFor } from '../waitFor';
import type { Editor } from './editor';

const NO_BOX = { x: 0, y: 0, width: 0, height: 0 };

/** Builds a workflow on the canvas with the mouse: adds nodes by their actions and connects them. */
export class Canvas {
	constructor(private readonly editor: Editor) {}

	/** Adds a trigger and opens its form. */
	async addTrigger(node: string, event: string) {
		await this.page.getByTestId('node-creator-plus-button').click();
		await this.chooseNode(node, event);
	}

	/** Adds an action after an output of a node. */
	async addAfter(name: string, node: string, action?: string, output = 0) {
		const plus = this.handle('output', name, output).getByTestId('canvas-handle-plus');
		await plus.click();
		await this.chooseNode(node, action);
	}

	/** Adds an action on the line between two nodes. */
	async addBetween(from: string, to: string, node: string, action: string) {
		const plus = this.page.getByTestId('add-connection-button').filter({ visible: true }).first();
		const line = this.edge(from, to).locator('path').first();
		await this.editor.fitView();
		// The line moves until the animation of the canvas has ended.
		await waitFor(
			`the line from ${from} to ${to} shows its plus`,
			async () => {
				const { x, y, width, height } = (await line.boundingBox()) ?? NO_BOX;
				await this.page.mouse.move(x + width / 2, y + height / 2);
				return await plus.isVisible();
			},
			Boolean,
		);
		await plus.click();
		await this.chooseNode(node, action);
	}

	/** Adds a node below another one, such as a tool below an agent. */
	async addSubNode(name: string, input: string, node: string) {
		const below = this.page.locator(
			`[data-test-id="canvas-node-input-handle"][data-node-name="${name}"]`,
		);
		const named = below.filter({ has: this.page.getByText(input, { exact: true }) });
		await named.getByTestId('canvas-handle-plus').click();
		await this.chooseNode(node);
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

	/** Saves by Ctrl-S and waits until n8n has responded; an earlier save of n8n's own may lack the last change. */
	async save() {
		const saved = this.page.waitForResponse((answer) => {
			const request = answer.request();
			if (request.method() !== 'PATCH' || !answer.url().includes('/workflows/')) return false;
			return (request.postDataJSON() as IDataObject).autosaved === false;
		});
		await this.page.keyboard.press('Control+s');
		await saved;
	}

	private get page() {
		return this.editor.page;
	}

	/** Tools have no actions in the panel: their operation is chosen in the form. */
	private async chooseNode(node: string, action?: string) {
		const found = this.page.getByTestId('item-iterator-item');
		await waitFor(
			`the panel lists ${node}`,
			async () => {
				const isListed = await this.editor.withText(found, node).isVisible();
				// The panel may replace its list of nodes, which clears the search. On a slow machine, what a
				// search finds is listed only later, and not if the search begins again meanwhile.
				if (!isListed) {
					await this.page.getByTestId('node-creator-search-bar').fill(node);
					await this.editor.passDebounce();
				}
				return { isListed, listed: await found.allInnerTexts() };
			},
			({ isListed }) => isListed,
		);
		await this.editor.withText(found, node).click();
		if (action !== undefined) await this.editor.withText(found, action).click();
		await (node.startsWith('Corrigo') ? this.editor.waitForForm() : this.editor.form.waitFor());
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
