import {
	toAnswer,
	createEntity,
	deleteEntity,
	restoreEntity,
	updateEntity,
} from '../base/operations';
import { addToTree } from '../base/assetTree';
import { createRecord } from '../base/write';
import { failBusinessLogic, fail } from '../errors';
import { typeOf } from '../schema';
import { downloadUrl } from '../servers/links';
import type { Json } from '../shapes';
import type { Row } from '../store/store';
import type { Arguments, Handler } from './command';

const withoutNestedResults = (answer: Json): Json => ({
	...answer,
	NestedEntitiesOperationResults: [],
});

/** Entities inside a command carry their type, which the path of `/base` would name. */
function readEntity(args: Arguments): { type: string; entity: Arguments } {
	const entity = args.object('Entity');
	const type = entity?.text('EntityType') ?? args.text('EntityType');
	return entity && type
		? { type, entity }
		: fail('INCORRECT_MODEL', 'Entity with its EntityType is required.');
}

function readSpecifier(args: Arguments): { type: string; id: unknown } {
	const specifier = args.object('EntitySpecifier');
	const type = specifier?.text('EntityType');
	return specifier && type
		? { type, id: specifier.get('Id') }
		: fail('ENTITYSPECIFIER_NOT_FOUND', 'EntitySpecifier is not given.');
}

function readProperties(args: Arguments): string[] {
	const paths = args.object('PropertySet')?.get('Properties');
	return Array.isArray(paths)
		? paths.map(String)
		: fail('INCORRECT_MODEL', 'PropertySet.Properties is required.');
}

const getDocumentLinks: Handler = (world, args) => {
	const ids = args.ids('DocumentIds');
	if (ids.length === 0) failBusinessLogic('DocumentIds is a required field');
	return {
		Results: ids.map((id) => {
			const document = world.store.get('Document', id);
			if (!document) return failBusinessLogic(`Document with Id ${id} cannot be found`);
			const blob = world.store.get('Blob', (document.Blob as Row | undefined)?.Id ?? 0);
			return {
				DocumentId: id,
				Url: blob ? downloadUrl(world, id) : document.DocUrl,
				FileName: blob?.FileName ?? document.Title,
			};
		}),
	};
};

const createZone: Handler = (world, args) => {
	const sent = args.object('WorkZone');
	if (!sent) return failBusinessLogic('WorkZone is a required field');
	const prefix = sent.text('WoNumberPrefix');
	if (!sent.has('DisplayAs')) failBusinessLogic('DisplayAs is a required field');
	if (!prefix) failBusinessLogic('WoNumberPrefix is a required field');
	args.optionalId('AssetTemplateId', 'AssetTemplate', world);
	const root = world.store.insert('Location', {
		Name: sent.text('DisplayAs'),
		TypeId: 'Community',
	});
	addToTree(world.store, root.Id, 0);
	const zone = createRecord(
		world,
		typeOf('WorkZone'),
		{ WoNumberDigits: 7, TimeZone: 35, CurrencyTypeId: 'USD', ...sent.members },
		{ Asset: { Id: root.Id } },
	);
	return { WorkZone: toAnswer(world, 'WorkZone', zone) };
};

const setZoneOffline =
	(IsOffline: boolean): Handler =>
	(world, args) => {
		const zone = args.id('WorkZoneId', 'WorkZone', world);
		world.store.change('WorkZone', zone.Id, { IsOffline });
		return {};
	};

const removeCommand =
	(entity: string): Handler =>
	(world, args) => {
		const row = args.id(`${entity}Id`, entity, world);
		world.store.change(entity, row.Id, { IsRemoved: true });
		return {};
	};

const suspendEmployee: Handler = (world, args) => {
	const employee = args.id('Id', 'Employee', world);
	world.store.change('Employee', employee.Id, { IsRemoved: !args.bool('Reactivate') });
	return { EmployeeId: employee.Id };
};

export const ENTITY_COMMANDS: Readonly<Record<string, Handler>> = {
	CreateCommand: (world, args) => {
		const { type, entity } = readEntity(args);
		return withoutNestedResults(createEntity(world, type, entity.members));
	},
	UpdateCommand: (world, args) => {
		const { type, entity } = readEntity(args);
		return withoutNestedResults(updateEntity(world, type, entity.members, readProperties(args)));
	},
	DeleteCommand: (world, args) => {
		const { type, id } = readSpecifier(args);
		return withoutNestedResults(deleteEntity(world, type, id, false));
	},
	RestoreCommand: (world, args) => {
		const { type, id } = readSpecifier(args);
		return withoutNestedResults(restoreEntity(world, type, id));
	},
	GetDocDownloadUrlCommand: getDocumentLinks,
	WorkZoneCreateCommand: createZone,
	WorkZoneDeleteCommand: removeCommand('WorkZone'),
	WorkZoneOfflineCommand: setZoneOffline(true),
	WorkZoneOnlineCommand: setZoneOffline(false),
	PortfolioDeleteCommand: removeCommand('Portfolio'),
	UserOrProviderSuspendCommand: suspendEmployee,
};
