import type { INodeExecutionData } from 'n8n-workflow';

import { matchSignings, type Message } from './signature';

const NO_KEY =
	"Enter the key that was chosen in Corrigo as 'Signing Key' in the Corrigo credential, and listen again.";
const NO_FIT =
	'No header holds a signature of the body by a key of the credential. Compare the key with the one in Corrigo letter by letter; or Corrigo has sent no signature.';
const FIT = "Set 'Signature' to HMAC, and the fields below it to these values.";

/** Reports which ways of signing fit the keys, without the body and the values of headers. */
export function buildSignatureReport(
	message: Message,
	keys: ReadonlyMap<string, string>,
): INodeExecutionData {
	const names = [...keys.keys()];
	const fits = matchSignings(message, [...keys.values()]).map(
		({ header, algorithm, encoding, prefix, key }) => ({
			Header: header,
			Algorithm: algorithm,
			Encoding: encoding,
			Prefix: prefix,
			Key: names[key],
		}),
	);
	const Advice = fits.length > 0 ? FIT : names.length > 0 ? NO_FIT : NO_KEY;
	return { json: { Advice, Fits: fits, Headers: Object.keys(message.headers) } };
}
