/**
 * The forms of the nodes and the credential as text, one line for each field, so that a change of a
 * form shows in a review.
 */
import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { CorrigoApi } from '../credentials/CorrigoApi.credentials';
import { deskProperties as corrigoDesk } from '../nodes/Corrigo/actions/desk';
import { nodeFields as corrigo } from '../nodes/Corrigo/actions/resources';
import { triggerFields as corrigoTrigger } from '../nodes/Corrigo/trigger/triggerForm';
import { webhookFields as corrigoWebhookTrigger } from '../nodes/Corrigo/webhook/description';

const corrigoApi = new CorrigoApi().properties;
const forms = { corrigo, corrigoApi, corrigoDesk, corrigoTrigger, corrigoWebhookTrigger };

export const formFiles = (): Map<string, string> =>
	new Map(
		Object.entries(forms).map(([name, fields]) => [
			`test/form/${name}.txt`,
			fields
				.flatMap((field) => buildLines(field))
				.map((line) => `${line}\n`)
				.join(''),
		]),
	);

type Options = INodeProperties['options'];

const isField = (option: NonNullable<Options>[number]): option is INodeProperties =>
	'type' in option;
const isGroup = (option: NonNullable<Options>[number]): option is INodePropertyCollection =>
	'values' in option;

function buildLines(field: INodeProperties, indent = ''): string[] {
	const inside = `${indent}  `;
	const inner = (field.options ?? []).flatMap((option) => {
		if (isGroup(option)) {
			const rows = option.values.flatMap((one) => buildLines(one, `${inside}  `));
			return [`${inside}${option.name} "${option.displayName}"`, ...rows];
		}
		return isField(option) ? buildLines(option, inside) : [];
	});
	return [indent + buildLine(field), ...inner];
}

const buildLine = ({ name, displayName, type, default: initial, ...field }: INodeProperties) =>
	[
		`${name} "${displayName}" ${type} = ${JSON.stringify(initial)}`,
		field.required && 'required',
		field.noDataExpression && 'noDataExpression',
		field.modes && `modes ${field.modes.map(formatMode).join(', ')}`,
		formatChoices(field.options),
		formatSettings(field.typeOptions),
		formatConditions('if', field.displayOptions?.show),
		formatConditions('unless', field.displayOptions?.hide),
	]
		.filter(Boolean)
		.join('; ');

const formatMode = ({ name, type, typeOptions }: NonNullable<INodeProperties['modes']>[number]) =>
	[name, type === 'list' ? formatSettings(typeOptions) : ''].filter(Boolean).join(' ');

const isChoice = (option: NonNullable<Options>[number]): option is INodePropertyOptions =>
	'value' in option;

function formatChoices(options: Options = []): string {
	const values = options.filter(isChoice).map(({ value }) => value);
	return values.length > 0 ? `choices ${values.join(' | ')}` : '';
}

const formatSettings = (settings: object = {}): string =>
	Object.keys(settings).length > 0 ? JSON.stringify(settings) : '';

const formatConditions = (word: string, conditions: object = {}): string =>
	Object.entries(conditions)
		.map(([name, values]) => `${word} ${name} ${(values as unknown[]).map(toText).join(' | ')}`)
		.join('; ');

const toText = (value: unknown): string =>
	typeof value === 'object' ? JSON.stringify(value) : String(value);
