import { owner, type EntityRows } from './entity';

export const documentEntities = {
	Document: {
		fields: {
			...owner,
			Description: 'string',
			Title: 'string',
			DocType: 'DocumentType',
			EndDate: 'datetime',
			StartDate: 'datetime',
			UpdatedDate: 'datetime',
			ExtensionId: 'integer',
			IsShared: 'boolean',
			IsPublic: 'boolean',
			StorageTypeId: 'DocumentStorageType',
			DocUrl: 'string',
			MimeType: 'string',
			UpdatedBy: 'Actor',
			WonId: 'integer',
			WonMemberId: 'integer',
			Blob: 'Blob',
		},
		readOnly: ['Blob', 'ExtensionId', 'WonId', 'WonMemberId'],
		display: 'Title',
		required: ['ActorId', 'ActorTypeId', 'Title', 'DocType', 'StorageTypeId', 'MimeType'],
	},
	Blob: {
		fields: { ...owner, Body: 'string', FileName: 'string', TypeId: 'string' },
		lock: false,
		display: 'FileName',
	},
	DocumentType: { fields: { Description: 'string', DisplayAs: 'string' } },
	CustomField2: {
		label: 'Custom Field',
		fields: {
			Descriptor: 'CustomFieldDescriptor',
			ObjectId: 'integer',
			ObjectTypeId: 'ActorType',
			Value: 'string',
			CurrencyTypeId: 'CurrencyType',
		},
		lock: false,
		required: ['Descriptor', 'ObjectId', 'ObjectTypeId', 'Value'],
	},
	CustomFieldDescriptor: {
		fields: {
			ActorTypeId: 'ActorType',
			Length: 'integer',
			Type: 'CfType',
			SharedWithProvider: 'CfSharingMode',
			SharedByRequestor: 'CfSharingMode',
			CpnRequestorId: 'integer',
			Name: 'string',
			Options: 'CustomFieldOption[]',
		},
		softDelete: true,
		display: 'Name',
		required: ['Name', 'ActorTypeId', 'Type'],
	},
	CustomFieldOption: {
		fields: { ParentId: 'integer', Idx: 'integer', Value: 'string' },
		display: 'Value',
	},
	CustomFieldAutocompleteOption: {
		fields: { DescriptorId: 'integer', Value: 'string' },
		display: 'Value',
	},
	PrintoutTemplate: {
		fields: {
			DisplayAs: 'string',
			IsDefault: 'boolean',
			IsHidden: 'boolean',
			StatusId: 'PrintoutStatus',
			ActorTypeId: 'ActorType',
		},
		lock: false,
	},
	CustomField: {
		label: 'Custom Field (Old Form)',
		fields: { Descriptor: 'CustomFieldDescriptor', ObjectId: 'integer', Value: 'string' },
		lock: false,
	},
} as const satisfies EntityRows;
