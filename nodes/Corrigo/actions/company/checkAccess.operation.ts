import { optionsField } from '../../form/options';
import { codeOf, isTransient, wasRefused } from '../../transport/errors';
import { isCancelled } from '../../transport/send';
import { itemOf, DEFAULT_READS, type ItemContext } from '../../run/context';
import { forEachLimit } from '../../run/mapLimit';
import type { Operation } from '../../run/operation';
import { companyChecks, latencyCheck, sessionChecks, type Check, type Status } from './checks';
import { Probe } from './probe';

type Finding = { check: string; status: Status; detail: string; howToFix: string };

export const checkAccess: Operation = {
	name: 'Check Access',
	value: 'checkAccess',
	action: 'Check the access to the company',
	description:
		'Check which features of this package work with your Company. Reads only, in at most 40 requests.',
	fields: [optionsField('parallelRequests', 'timeout')],
	all: async ([first, ...others]) => {
		const items = (await findingsOf(first)).map(itemOf);
		return [{ items }, ...others.map(() => ({ items: [] }))];
	},
};

async function findingsOf(context: ItemContext): Promise<Finding[]> {
	const probe = await Probe.of(context);
	const findings: Finding[] = [];
	/** Reason for skipping the remaining checks. */
	let over: string | undefined;

	const run = async (check: Check): Promise<Finding> => {
		if (over !== undefined) return findingOf(check, 'skipped', over);
		const { status, detail } = await check.run(probe).catch((failure: unknown) => {
			if (isCancelled(context.caller)) throw failure;
			if (!wasRefused(failure)) over = isTransient(failure) ? AWAY : NO_SESSION;
			const status: Status = (wasRefused(failure) && check.refused) || 'failed';
			return { status, detail: detailOf(failure) };
		});
		return findingOf(check, status, detail);
	};

	for (const group of [sessionChecks, companyChecks, [latencyCheck]]) {
		const before = findings.length;
		const concurrency = group === sessionChecks ? 1 : context.concurrency(DEFAULT_READS);
		await forEachLimit(
			group.length,
			concurrency,
			async (index) => {
				findings[before + index] = await run(group[index]);
			},
			() => isCancelled(context.caller),
		);
		if (findings.some(({ status }) => status === 'failed') && group === sessionChecks) {
			over ??= NO_SESSION;
		}
	}
	return findings;
}

const NO_SESSION = 'There is no session';
const AWAY = 'Corrigo did not answer before';

const findingOf = ({ name, howToFix }: Check, status: Status, detail: string): Finding => ({
	check: name,
	status,
	detail,
	howToFix: status === 'ok' || status === 'skipped' ? '' : howToFix,
});

/** Messages of the service may contain names of people and records; its codes do not. */
function detailOf(failure: unknown): string {
	const { message, httpCode } = failure as Error & { httpCode?: string };
	const code = codeOf(failure);
	const reference = [code, httpCode && `status ${httpCode}`].filter(Boolean).join(', ');
	if (wasRefused(failure)) return `Refused (${reference})`;
	return code === undefined ? withoutNames(message) : `Not answered (${reference})`;
}

const withoutNames = (text: string) =>
	text.replace(/".*"/g, '"…"').replace(/https?:\/\/[^\s,)]+/g, '…');
