import type { INodeExecutionData } from 'n8n-workflow';

import type { CommandAnswer } from '../../wire/answers';
import { ValidationError, type JsonObject } from '../../values/checks';
import type { ItemContext } from '../../run/context';
import { fileField, readFileField, buildFileItem } from '../document/file';
import { buildCommandOperation } from '../../operations/write/command';
import { createFieldBuilder } from '../../operations/members';

const COMMAND = 'CreateWoPrintoutCommand';

const printout = createFieldBuilder(COMMAND);

export const print = buildCommandOperation({
	value: 'print',
	action: 'Print a work order',
	description: 'Create a PDF printout of a work order',
	command: COMMAND,
	fields: [fileField],
	added: [
		printout.field(
			'LanguageId',
			'languageId',
			'ID of the language of the printout, if not the default one',
			{ typeOptions: { minValue: 1 }, default: 1 },
		),
		printout.reference('PrintoutTemplateId', 'printoutTemplate', 'printoutTemplate', {
			description: 'Layout of the printout, if not the default one',
		}),
	],
	// The field is read here so that an invalid form fails before anything is sent.
	buildBody: (context) => (readFileField(context), {}),
	buildOutput: buildPrintout,
});

async function buildPrintout(
	context: ItemContext,
	{ CommandResult: { PrintoutBody, Filename } }: CommandAnswer,
	{ WorkOrderId: id }: JsonObject,
): Promise<INodeExecutionData> {
	const body = Buffer.from(typeof PrintoutBody === 'string' ? PrintoutBody : '', 'base64');
	if (body.length === 0) {
		throw new ValidationError(
			`Corrigo made no printout of the work order ${String(id)}`,
			'Check that the Company has a printout template for work orders, or choose one.',
		);
	}
	const name = typeof Filename === 'string' && Filename ? Filename : `${String(id)}.pdf`;
	return await buildFileItem(context, readFileField(context), { id, name, body });
}
