import { createTable } from './table';

export interface Region {
	label: string;
	/** Address of the server that knows the host of each Company. */
	locatorUrl: string;
}

export const regions = {
	americas: {
		label: 'Americas (USA and Canada)',
		locatorUrl: 'https://am-apilocator.corrigo.com',
	},
	asiaPacific: {
		label: 'Asia Pacific',
		locatorUrl: 'https://apac-apilocator.corrigo.com',
	},
	emea: {
		label: 'Europe, Middle East and Africa',
		locatorUrl: 'https://emea-apilocator.corrigo.com',
	},
} as const satisfies Readonly<Record<string, Region>>;

/** A credential may name a region that is none. */
export const regionsByName = createTable<Region | undefined>(regions);

/** All regions share one token server. */
export const DEFAULT_TOKEN_URL = 'https://oauth-pro-v2.corrigo.com';
