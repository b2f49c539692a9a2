import { fail } from '../errors';
import type { World } from '../runtime/world';
import { enumeration } from '../schema';
import { member, canonicalName, type Json } from '../shapes';

const COMPANY_ID = 1234;
const VERSION = '9.15.0.112';

/** The name of the Company is case-sensitive. */
export function locateCompany(world: World, command: Json): Json {
	const company = member(command, 'CompanyName');
	if (company !== world.settings.company) {
		return fail('BUSINESS_LOGIC_ERROR', `Company '${String(company ?? '')}' cannot be found.`);
	}
	const api = canonicalName(enumeration('ApiTypes'), member(command, 'ApiType'));
	const protocol = canonicalName(enumeration('Protocols'), member(command, 'Protocol'));
	const rest = api === 'REST' && protocol !== undefined;
	const host = `${world.urls.api}/`;
	return {
		Url: rest ? host : `${host.replace(/^http:\/\//, '')}wsdk/CorrigoService.asmx`,
		CompanyName: company,
		Protocol: protocol ?? 'HTTP',
		CompanyVersion: VERSION,
		CompanyId: COMPANY_ID,
	};
}
