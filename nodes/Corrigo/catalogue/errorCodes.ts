export interface ErrorCode {
	/** Advice on the next step, in words for users in facilities. */
	hint: string;
	/** The token or host must be renewed. The call did not run, so sending it again is safe. */
	session?: true;
	/** The record does not exist. */
	missing?: true;
	/** The service also uses this code when the role of the service user lacks a permission. */
	rights?: true;
}

const credentialHint =
	"Open the credential and run its test. Check 'Client ID', 'Client Secret' and 'Company Name'.";

const recordHint =
	'Check the ID, and that the service user may see the record. It may have been deleted.';

const bodyHint =
	'Compare the names and values you send with the documentation. JSON fields must hold valid JSON.';

export const errorCodes: Readonly<Partial<Record<string, ErrorCode>>> = {
	BUSINESS_LOGIC_ERROR: {
		hint: 'The message names the rule. Bring the record into the state, or give the value, that it asks for.',
		rights: true,
	},
	COMMAND_NOT_FOUND: {
		hint: "Write the full class name in 'Command Name', such as WoCancelCommand.",
	},
	CUSTOM_COMMAND_ERROR: {
		hint: "The message names the command. Use the operation for it, or 'Execute' of the Command resource.",
	},
	DATABASE_VERSION_MISMATCH: {
		hint: "Check 'Company Name' and 'Region' in the credential. Upper and lower case count in 'Company Name'.",
		session: true,
	},
	DATA_PARSING_ERROR: { hint: bodyHint },
	EMPTY_INPUT_PARAMETER: {
		hint: 'Fill in at least one field. Check that expressions give a value for every item.',
	},
	ENTITYSPECIFIER_NOT_FOUND: { hint: recordHint, missing: true },
	ENTITY_NOT_FOUND: {
		hint: "Choose 'Entity' from the list. Assets are called Location, users and providers Employee.",
	},
	ERROR_CODE_1000: {
		hint: "Use the resource made for it, or a command by 'Execute' of the Command resource.",
	},
	ERROR_CODE_1002: {
		hint: "Check the names in 'Property Names or IDs', conditions and fields. The message names the one that does not exist.",
	},
	ERROR_CODE_1003: {
		hint: "Add what you need of it to the path, such as 'DocType.Id' or 'DocType.*'.",
	},
	ERROR_CODE_1019: { hint: recordHint, missing: true },
	ERROR_CODE_6: {
		hint: 'Read the record again, then repeat. The service also says this where an ID is missing or belongs to another kind of record.',
	},
	EXPIRED_TOKEN: { hint: credentialHint, session: true },
	IDENTIFIER_NOT_FOUND: { hint: recordHint, missing: true },
	INCORRECT_MODEL: { hint: bodyHint },
	INCORRECT_TOKEN: { hint: credentialHint, session: true },
	MISSING_AUTHORIZATION_HEADER: { hint: credentialHint },
	MISSING_AUTHORIZATION_SCHEME: { hint: credentialHint },
};
