import { buildOptions } from '../../form/options';
import { toItem, DEFAULT_READS, type ItemContext } from '../../run/context';
import type { Resource, Operation } from '../../run/operation';
import { getErrorCode, isTransient, wasRefused } from '../../transport/errors';
import { isCancelled } from '../../transport/send';
import { forEachLimit } from '../../transport/concurrency';
import { quoteUnlessPlain } from '../../values/errors';
import type { JsonObject } from '../../values/objects';
import { companyChecks, latencyCheck, sessionChecks, type Check, type CheckResult } from './checks';
import { createProbe, discover, MAX_CHECK_REQUESTS } from './probe';
import { TEXT } from '../../operations/specimens';

/** Only what is not as it should be says how to fix it. */
type Finding = JsonObject & { check: string } & CheckResult;

const checkAccess: Operation = {
	value: 'checkAccess',
	action: 'Check access to company',
	description: `Check which features of this package work with your Company. This only reads, with at most ${MAX_CHECK_REQUESTS} requests besides logins.`,
	output: () => ({ check: TEXT, status: TEXT, detail: TEXT, howToFix: TEXT }),
	fields: [buildOptions(['parallelRequests', 'timeout'])],
	reads: true,
	all: async ([first, ...others]) => {
		const items = toReport(await runChecks(first)).map(toItem);
		return [{ items }, ...others.map(() => ({ items: [] }))];
	},
};

async function runChecks(context: ItemContext): Promise<Finding[]> {
	const probe = await createProbe(context);
	/** Reason for skipping the remaining checks. */
	let skipReason: string | undefined;

	const run = async (check: Check): Promise<CheckResult> => {
		if (skipReason !== undefined) return { status: 'skipped', detail: skipReason };
		return await check.run(probe).catch((failure: unknown): CheckResult => {
			if (isCancelled(context.caller)) throw failure;
			if (!wasRefused(failure)) skipReason = isTransient(failure) ? NO_ANSWER : NO_SESSION;
			const status = (wasRefused(failure) && check.refused) || 'failed';
			const detail = getDetail(failure);
			return isTransient(failure)
				? { status, detail, howToFix: CHECK_NETWORK }
				: { status, detail };
		});
	};

	const runGroup = async (checks: readonly Check[], concurrency: number): Promise<Finding[]> => {
		const findings: Finding[] = [];
		await forEachLimit(
			checks.length,
			concurrency,
			async (index) => {
				const { name } = checks[index];
				const { howToFix = checks[index].howToFix, ...result } = await run(checks[index]);
				const isToFix = result.status === 'failed' || result.status === 'warning';
				findings[index] = { check: name, ...result, ...(isToFix ? { howToFix } : {}) };
			},
			() => isCancelled(context.caller),
		);
		return findings;
	};

	const session = await runGroup(sessionChecks, 1);
	if (session.some(({ status }) => status === 'failed')) skipReason ??= NO_SESSION;
	const others = await runGroup(companyChecks, context.getConcurrency(DEFAULT_READS));
	return [...session, ...others, ...(await runGroup([latencyCheck], 1))];
}

/** A service that does not answer has refused nothing, so neither rights nor credential are to blame. */
const CHECK_NETWORK =
	'Check the network and the proxy of n8n first, and whether Corrigo is available. Then check the web addresses in the credential.';

const NO_SESSION = 'There is no session';
const NO_ANSWER = 'Corrigo did not answer before';

const VERDICTS = {
	failed: 'Some operations do not work: see the next items',
	warning: 'Everything works, with the limits in the next items',
	ok: 'Everything works',
};

/** The verdict and what to fix come first, because few people read all items. */
function toReport(findings: Finding[]): Finding[] {
	const failed = findings.filter(({ status }) => status === 'failed');
	const warnings = findings.filter(({ status }) => status === 'warning');
	const others = findings.filter((one) => !failed.includes(one) && !warnings.includes(one));
	const status = failed.length > 0 ? 'failed' : warnings.length > 0 ? 'warning' : 'ok';
	const verdict = { check: 'Verdict', status, detail: VERDICTS[status] } as const;
	return [verdict, ...failed, ...warnings, ...others];
}

/** Messages of the service may contain names of people and records; its codes do not. */
function getDetail(failure: unknown): string {
	const { message, httpCode } = failure as Error & { httpCode?: string };
	const code = getErrorCode(failure);
	const reference = [code && quoteUnlessPlain(code), httpCode && `status ${httpCode}`]
		.filter(Boolean)
		.join(', ');
	if (wasRefused(failure)) return `Refused (${reference})`;
	return code === undefined ? removeNames(message) : `Not answered (${reference})`;
}

const removeNames = (text: string) =>
	text.replace(/".*"/g, '"…"').replace(/https?:\/\/[^\s,)]+/g, '…');

export const company: Resource = {
	value: 'company',
	defaultOperation: 'discover',
	operations: [
		{
			value: 'discover',
			action: 'Discover host of company',
			description: 'Look up the host, version and ID of the Company of the credential',
			command: 'GetCompanyWsdkUrlCommand',
			output: () => ({
				...{ Url: TEXT, CompanyName: TEXT, Protocol: TEXT, CompanyVersion: TEXT, CompanyId: 1 },
			}),
			fields: [buildOptions(['timeout'])],
			reads: true,
			each: async (context) => [toItem(await discover(context))],
		},
		checkAccess,
	],
};
