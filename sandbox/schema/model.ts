export interface Model {
	readonly lock: boolean;
	readonly softDelete: boolean;
	readonly fields: Readonly<Record<string, string>>;
}

type Traits = '' | 'lock' | 'softDelete' | 'lock softDelete';

export const words = (text: string): readonly string[] => text.trim().split(/\s+/);

export const model = (traits: Traits, fields: Record<string, string>): Model => ({
	lock: traits.includes('lock'),
	softDelete: traits.includes('softDelete'),
	fields,
});
