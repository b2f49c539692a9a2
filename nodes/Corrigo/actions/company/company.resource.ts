import { buildOptions } from '../../form/options';
import { toItem, DEFAULT_READS, type ItemContext } from '../../run/context';
import type { Resource, Operation } from '../../run/operation';
import { getErrorCode, isTransient, wasRefused } from '../../transport/errors';
import { isCancelled } from '../../transport/send';
import { forEachLimit } from '../../transport/eventLoop';
import { companyChecks, latencyCheck, sessionChecks, type Check, type CheckResult } from './checks';
import { discover, Probe } from './probe';

type Finding = Record<'check' | 'howToFix' | keyof CheckResult, string>;

const checkAccess: Operation = {
	name: 'Check Access',
	value: 'checkAccess',
	action: 'Check access to company',
	description:
		'Check which features of this package work with your Company. Reads only, in at most 40 requests.',
	fields: [buildOptions(['parallelRequests', 'timeout'])],
	all: async ([first, ...others]) => {
		const items = toReport(await runChecks(first)).map(toItem);
		return [{ items }, ...others.map(() => ({ items: [] }))];
	},
};

async function runChecks(context: ItemContext): Promise<Finding[]> {
	const probe = await Probe.create(context);
	const findings: Finding[] = [];
	/** Reason for skipping the remaining checks. */
	let skipReason: string | undefined;

	const run = async (check: Check): Promise<Finding> => {
		if (skipReason !== undefined)
			return toFinding(check, { status: 'skipped', detail: skipReason });
		const result = await check.run(probe).catch((failure: unknown): CheckResult => {
			if (isCancelled(context.caller)) throw failure;
			if (!wasRefused(failure)) skipReason = isTransient(failure) ? NO_ANSWER : NO_SESSION;
			const status = (wasRefused(failure) && check.refused) || 'failed';
			return { status, detail: getDetail(failure) };
		});
		return toFinding(check, result);
	};

	for (const group of [sessionChecks, companyChecks, [latencyCheck]]) {
		const before = findings.length;
		const concurrency = group === sessionChecks ? 1 : context.getConcurrency(DEFAULT_READS);
		await forEachLimit(
			group.length,
			concurrency,
			async (index) => {
				findings[before + index] = await run(group[index]);
			},
			() => isCancelled(context.caller),
		);
		if (findings.some(({ status }) => status === 'failed') && group === sessionChecks) {
			skipReason ??= NO_SESSION;
		}
	}
	return findings;
}

/** The verdict and what to fix come first, because few people read 40 items. */
function toReport(findings: Finding[]): Finding[] {
	const having = (wanted: string) => findings.filter(({ status }) => status === wanted);
	const [failed, warnings] = [having('failed'), having('warning')];
	const others = findings.filter((one) => !failed.includes(one) && !warnings.includes(one));
	const [status, detail] =
		failed.length > 0
			? ['failed', 'Some operations do not work: see the next items']
			: warnings.length > 0
				? ['warning', 'Everything works, with the limits in the next items']
				: ['ok', 'Everything works'];
	return [{ check: 'Verdict', status, detail, howToFix: '' }, ...failed, ...warnings, ...others];
}

const NO_SESSION = 'There is no session';
const NO_ANSWER = 'Corrigo did not answer before';

const toFinding = ({ name, howToFix }: Check, { status, detail }: CheckResult): Finding => ({
	check: name,
	status,
	detail,
	howToFix: status === 'ok' || status === 'skipped' ? '' : howToFix,
});

/** Messages of the service may contain names of people and records; its codes do not. */
function getDetail(failure: unknown): string {
	const { message, httpCode } = failure as Error & { httpCode?: string };
	const code = getErrorCode(failure);
	const reference = [code, httpCode && `status ${httpCode}`].filter(Boolean).join(', ');
	if (wasRefused(failure)) return `Refused (${reference})`;
	return code === undefined ? removeNames(message) : `Not answered (${reference})`;
}

const removeNames = (text: string) =>
	text.replace(/".*"/g, '"…"').replace(/https?:\/\/[^\s,)]+/g, '…');

export const company: Resource = {
	name: 'Company',
	value: 'company',
	operations: [
		{
			name: 'Discover',
			value: 'discover',
			action: 'Discover host of company',
			description: 'Look up the host, version and ID of the Company of the credential',
			command: 'GetCompanyWsdkUrlCommand',
			fields: [buildOptions(['timeout'])],
			reads: true,
			each: async (context) => [toItem(await discover(context))],
		},
		checkAccess,
	],
};
