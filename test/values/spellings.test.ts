import fc from 'fast-check';

import {
	findMostSimilar,
	getPieces,
	suggestCommands,
	suggestEntities,
} from '../../nodes/Corrigo/values/spellings';
import { startCpuTime } from '../support/cpu';

const similar = (name: string, ...candidates: string[]) =>
	findMostSimilar(name, candidates, (one) => one);

it.each<[string, string[], string[]]>([
	['Contosso Pharmacy', ['Contoso Pharmacy', 'Contoso'], ['Contoso Pharmacy', 'Contoso']],
	['Contoso', ['Contoso East', 'Contoso West', 'Contose'], ['Contoso East', 'Contoso West']],
	['north pharmacy', ['East Pharmacy', 'South Bakery'], ['East Pharmacy']],
	['wter heater', ['Cooler', 'Water Heater', 'Heater'], ['Water Heater', 'Heater']],
	['Barber', ['Harbor'], ['Harbor']],
	['Pmup', ['Pump', 'Lamp'], []],
	['Zyzzyva', ['Contoso'], []],
	['42', ['1234', '17'], []],
	['Ann Abell', ['Ann Smith', 'Ann Abel', 'Joan Bell'], ['Ann Abel', 'Joan Bell']],
	['Ann Lee', ['Ann Leigh', 'Annika', 'Bob Lee', 'Bob Roy'], ['Ann Leigh', 'Bob Lee']],
	['The Bakry', ['The Gap', 'The Bakery'], ['The Bakery']],
	['', ['Contoso'], ['Contoso']],
])('names similar to %j among %j are %j', (name, candidates, expected) => {
	expect(similar(name, ...candidates)).toEqual(expected);
});

const letters = fc.string({ unit: fc.constantFrom(...'abcdefghij'), minLength: 8, maxLength: 14 });
const edit = fc.record({
	at: fc.nat(6),
	drop: fc.nat(1),
	add: fc.constantFrom('', 'x'),
});

const edited = (word: string, { at, drop, add }: { at: number; drop: number; add: string }) =>
	word.slice(0, at) + add + word.slice(at + drop);

it('a word with one error is found by one of its pieces', () => {
	fc.assert(
		fc.property(letters, edit, (word, one) => {
			const pieces = getPieces(edited(word, one));
			expect(pieces.some((piece) => word.includes(piece))).toBe(true);
		}),
	);
});

it('a word with two errors is similar', () => {
	fc.assert(
		fc.property(letters, edit, edit, (word, one, other) => {
			expect(similar(edited(edited(word, one), other), 'kkkkkkk', word)[0]).toBe(word);
		}),
	);
});

it.each([
	['WorkOrdr', 'Similar: WorkOrder.'],
	['workOrdr', 'Similar: WorkOrder.'],
	['Custommer', 'Similar: Customer.'],
	['Certificate', 'Similar: ProviderCoi.'],
	['WorkOrder', undefined],
	['customer', undefined],
	['Unicorn', undefined],
	['', undefined],
])('entities similar to %j: %s', (name, advice) => {
	expect(suggestEntities(name)).toBe(advice);
});

it('commands are known by their names and by the words of their labels', () => {
	expect(suggestCommands('WoCancelsCommand')).toBe('Similar: WoCancelCommand.');
	expect(suggestCommands('WoCancel')).toMatch(/^Similar: WoCancelCommand, /);
	expect(suggestCommands('WorkZone/Create')).toMatch(/WorkZoneCreateCommand/);
});

it('compares names of any length within a moment', () => {
	const long = 'kitchen boiler '.repeat(2_000);
	const candidates = Array.from(
		{ length: 500 },
		(_, index) => `${'kitchens boilers '.repeat(2_000)}${index}`,
	);
	const readCpuTime = startCpuTime();
	expect(similar(long, ...candidates)).toHaveLength(500);
	expect(suggestEntities('x'.repeat(20_000))).toBeUndefined();
	expect(readCpuTime()).toBeLessThan(5);
	expect(getPieces(long).length).toBeLessThan(100);
});
