import type { JsonObject } from '../values/checks';

/** Language models lose track of a longer text. */
export const DEFAULT_MAX_CHARACTERS = 20_000;

/** Collects many records into one item: the total, and the first records that fit. */
export class Compact {
	private readonly records: JsonObject[] = [];
	private total = 0;
	private characters = 0;

	constructor(private readonly maxCharacters: number) {}

	/** The list ends at the first record that does not fit, so that none is missing in between. */
	add(record: JsonObject): void {
		if (this.records.length === this.total) {
			this.characters += JSON.stringify(record).length + 1;
			if (this.characters <= this.maxCharacters) this.records.push(record);
		}
		this.total += 1;
	}

	/** The note says what is missing, so that a language model can decide what to ask next. */
	toItem(limit: number): JsonObject {
		const { records, total, maxCharacters } = this;
		const notes: string[] = [];
		if (records.length < total) {
			notes.push(
				`Only the first ${records.length} of ${total} records are here: more would be over ${maxCharacters} characters. Ask for fewer properties, or narrow the search.`,
			);
		}
		if (total === limit) notes.push(`Stopped at the limit of ${limit}: there may be more.`);
		return {
			records,
			total,
			complete: notes.length === 0,
			...(notes.length > 0 ? { note: notes.join(' ') } : {}),
		};
	}
}
