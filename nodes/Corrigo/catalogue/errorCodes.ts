import type * as contract from './contract';
import { createTable } from './table';

export interface ErrorCode {
	/** Advice on the next step, in words for users in facilities. */
	advice: string;
	/** The token or host must be renewed. The call did not run, so sending it again is safe. */
	session?: true;
	/** The record does not exist. */
	missing?: true;
	/** The service also uses this code when the role of the service user lacks a permission. */
	rights?: true;
}

const credentialAdvice =
	"Open the credential and run its test. Check 'Client ID', 'Client Secret' and 'Company Name'.";

export const recordAdvice =
	'Check the ID, and that the service user of the credential may see the record. It may have been deleted.';

const bodyAdvice =
	'Compare the names and values you send with the documentation. JSON fields must hold valid JSON.';

export const errorCodes = createTable<ErrorCode | undefined>({
	BUSINESS_LOGIC_ERROR: {
		advice:
			'The message names the rule. Bring the record into the state, or give the value, that it asks for.',
		rights: true,
	},
	COMMAND_NOT_FOUND: {
		advice: "Write the full class name in 'Command Name', such as WoCancelCommand.",
	},
	CUSTOM_COMMAND_ERROR: {
		advice:
			"The message names the command. Use the operation for it, or 'Execute' of the Command resource.",
	},
	DATABASE_VERSION_MISMATCH: {
		advice:
			"Check 'Company Name' and 'Region' in the credential. Upper and lower case count in 'Company Name'.",
		session: true,
	},
	DATA_PARSING_ERROR: { advice: bodyAdvice },
	EMPTY_INPUT_PARAMETER: {
		advice: 'Fill in at least one field. Check that expressions give a value for every item.',
	},
	ENTITYSPECIFIER_NOT_FOUND: { advice: recordAdvice, missing: true },
	ENTITY_NOT_FOUND: {
		advice:
			"Choose 'Entity' from the list. Assets are called Location, users and vendors Employee.",
	},
	ERROR_CODE_1000: {
		advice: "Use the resource made for it, or a command by 'Execute' of the Command resource.",
	},
	ERROR_CODE_1002: {
		advice:
			"Check the names in 'Field Names or IDs', conditions and fields. The message names the one that does not exist.",
	},
	ERROR_CODE_1003: {
		advice: "Add what you need of it to the path, such as 'DocType.Id' or 'DocType.*'.",
	},
	ERROR_CODE_1019: { advice: recordAdvice, missing: true },
	ERROR_CODE_6: {
		advice:
			'Read the record again, then repeat. The service also says this where an ID is missing or belongs to another kind of record.',
	},
	EXPIRED_TOKEN: { advice: credentialAdvice, session: true },
	IDENTIFIER_NOT_FOUND: { advice: recordAdvice, missing: true },
	INCORRECT_MODEL: { advice: bodyAdvice },
	INCORRECT_TOKEN: { advice: credentialAdvice, session: true },
	MISSING_AUTHORIZATION_HEADER: { advice: credentialAdvice },
	MISSING_AUTHORIZATION_SCHEME: { advice: credentialAdvice },
} satisfies Record<(typeof contract.errorCodeNames)[number], ErrorCode>);
