import type { JsonObject } from './checks';

/** What a language model reads without losing the thread. */
export const DEFAULT_MAX_CHARACTERS = 20_000;

/** Many records as one, no longer than a given text: the first ones, and how many there are. */
export class Compact {
	private readonly records: JsonObject[] = [];
	private total = 0;
	private characters = 0;

	constructor(private readonly maxCharacters: number) {}

	/** The first that does not fit ends the list, so that none is missing in between. */
	add(record: JsonObject): void {
		if (this.records.length === this.total) {
			this.characters += JSON.stringify(record).length + 1;
			if (this.characters <= this.maxCharacters) this.records.push(record);
		}
		this.total += 1;
	}

	/** What was left out is said in words: whoever reads it decides what to ask next. */
	output(limit: number): JsonObject {
		const { records, total, maxCharacters } = this;
		const notes = [
			...(records.length < total
				? [
						`Only the first ${records.length} of ${total} records are here: more would be over ${maxCharacters} characters. Ask for fewer properties, or narrow the search.`,
					]
				: []),
			...(total === limit ? [`Stopped at the limit of ${limit}: there may be more.`] : []),
		];
		return {
			records,
			total,
			complete: notes.length === 0,
			...(notes.length > 0 ? { note: notes.join(' ') } : {}),
		};
	}
}
