/** Texts that Corrigo and its users store for one value, by the type of the definition, and another value that is more. */
export const SPELLED = {
	Boolean: { input: true, texts: ['true', 'True', ' TRUE '], other: 'false' },
	Date: {
		input: '2026-01-31',
		texts: ['2026-01-31', '2026-01-31T00:00:00', '2026-01-31 00:00:00 '],
		other: '2026-10-01',
	},
	Decimal: { input: 12.5, texts: ['12.5', '12.50', ' 12.5000'], other: '101.25' },
	Integer: { input: 9, texts: ['9', '9.0', ' 9 '], other: '10' },
	Money: { input: '193', texts: ['193', '193.00', '193.0'], other: '1000' },
	String: { input: 'A-', texts: ['A-'], other: 'B+' },
	Time: { input: '07:30', texts: ['7:30', '07:30:00', '07:30', '7:30 AM'], other: '10:00' },
	Url: {
		input: 'https://example.org/?a=1&b=2',
		texts: [
			'https://example.org/?a=1&b=2',
			'<a href="https://example.org/?a=1&amp;b=2">https://example.org</a>',
		],
		other: 'https://example.org/3',
	},
} as const;
