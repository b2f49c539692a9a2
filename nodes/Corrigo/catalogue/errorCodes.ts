export interface ErrorCode {
	meaning: string;
	/** What somebody in facilities does next. */
	hint: string;
	/** Token or host must be renewed. The call did not run, so it may be sent again. */
	session?: true;
	/** The record is not there. */
	missing?: true;
}

const credentialHint =
	"Open the credential and run its test. Check 'Client ID', 'Client Secret' and 'Company Name'.";

const recordHint =
	'Check the ID, and that the service user may see the record. It may have been deleted.';

const bodyHint =
	'Compare the names and values you send with the documentation. JSON fields must hold valid JSON.';

export const errorCodes: Readonly<Partial<Record<string, ErrorCode>>> = {
	BUSINESS_LOGIC_ERROR: {
		meaning: 'A workflow or validation rule of the Company does not allow this',
		hint: 'The message names the rule. Bring the record into the state, or give the value, that it asks for.',
	},
	COMMAND_NOT_FOUND: {
		meaning: 'There is no command with this name',
		hint: "Write the full class name in 'Command Name', such as WoCancelCommand.",
	},
	CUSTOM_COMMAND_ERROR: {
		meaning: 'This has a command of its own and cannot be done as a plain create or delete',
		hint: "The message names the command. Use the operation for it, or 'Execute' of the Command resource.",
	},
	DATABASE_VERSION_MISMATCH: {
		meaning: 'The Company is not known to this host or cannot be reached on it',
		hint: "Check 'Company Name' and 'Region' in the credential. Upper and lower case count in 'Company Name'.",
		session: true,
	},
	DATA_PARSING_ERROR: { meaning: 'The service could not read the data', hint: bodyHint },
	EMPTY_INPUT_PARAMETER: {
		meaning: 'The service received no data',
		hint: 'Fill in at least one field. Check that expressions give a value for every item.',
	},
	ENTITYSPECIFIER_NOT_FOUND: {
		meaning: 'The ID is missing or there is no record with it',
		hint: recordHint,
		missing: true,
	},
	ENTITY_NOT_FOUND: {
		meaning: 'There is no entity with this name',
		hint: "Choose 'Entity' from the list. Assets are called Location, users and providers Employee.",
	},
	ERROR_CODE_1000: {
		meaning: 'This entity does not support this operation',
		hint: "Use the resource made for it, or a command by 'Execute' of the Command resource.",
	},
	ERROR_CODE_1002: {
		meaning: 'The entity has no such property',
		hint: "Check the names in 'Properties', conditions and fields. The message names the one that does not exist.",
	},
	ERROR_CODE_1003: {
		meaning: 'A property path ends in an object where a single value is needed',
		hint: "Add what you need of it to the path, such as 'DocType.Id' or 'DocType.*'.",
	},
	ERROR_CODE_1019: {
		meaning: 'There is no record with this ID',
		hint: recordHint,
		missing: true,
	},
	ERROR_CODE_6: {
		meaning: 'Somebody else changed the record in the meantime',
		hint: 'Read the record again, then repeat. The service also says this where an ID is missing or belongs to another kind of record.',
	},
	EXPIRED_TOKEN: { meaning: 'The access token has expired', hint: credentialHint, session: true },
	IDENTIFIER_NOT_FOUND: {
		meaning: 'The ID is missing or there is no record with it',
		hint: recordHint,
		missing: true,
	},
	INCORRECT_MODEL: {
		meaning: 'The data does not have the shape the service expects',
		hint: bodyHint,
	},
	INCORRECT_TOKEN: {
		meaning: 'The access token is not valid',
		hint: credentialHint,
		session: true,
	},
	MISSING_AUTHORIZATION_HEADER: {
		meaning: 'The request carried no access token',
		hint: credentialHint,
	},
	MISSING_AUTHORIZATION_SCHEME: {
		meaning: 'The access token was not sent as a Bearer token',
		hint: credentialHint,
	},
};
