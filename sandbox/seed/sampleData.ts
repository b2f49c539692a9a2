const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Names with characters that break careless quoting, escaping and encoding. */
export const CUSTOMER_NAMES = [
	'Northwind Retail',
	"O'Brien & Sons",
	'Müller Großhandel',
	'100% Fitness',
	'東京オフィス',
	'"Quoted" Holdings',
	'Less < More Outlets',
	'Sunshine Bakery 🌞',
	'Contoso Pharmacy',
	'Harbor View Clinic',
	'Pine Street Dental',
	'Blue_Lagoon Hotels',
	'Riverside Credit Union',
	'Summit Outdoor [West]',
	'Café Águila',
	'Lakeside Elementary',
] as const;

export const ZONES = [
	{ name: 'Midtown Manhattan', prefix: 'MTM', zone: 35, city: 'New York', state: 'NY' },
	{ name: 'Chicago Loop', prefix: 'CHL', zone: 20, city: 'Chicago', state: 'IL' },
	{ name: 'Denver Tech Center', prefix: 'DTC', zone: 10, city: 'Denver', state: 'CO' },
	{ name: 'San Francisco Bay', prefix: 'SFB', zone: 4, city: 'San Francisco', state: 'CA' },
	{ name: 'Boston Seaport', prefix: 'BOS', zone: 35, city: 'Boston', state: 'MA' },
	{ name: 'Dallas & Fort Worth', prefix: 'DFW', zone: 20, city: 'Dallas', state: 'TX' },
	{ name: 'Atlanta Midtown', prefix: 'ATL', zone: 35, city: 'Atlanta', state: 'GA' },
	{ name: 'Seattle Waterfront', prefix: 'SEA', zone: 4, city: 'Seattle', state: 'WA' },
] as const;

export const SPECIALTIES = words('HVAC Plumbing Electrical Janitorial Locksmith Roofing Elevator');

export const FIRST_NAMES = words('Ava Ben Chloé Diego Elif Farid Greta Hiro Ines Jörg Kofi Lena');
export const LAST_NAMES = words(
	"Adams Brown Castillo Dvořák Evans Fischer O'Neil Haddad Ivanov 王",
);

export const STREETS = [
	'Harbor Street',
	'Elm Avenue',
	'5th Avenue',
	'Market Square',
	"King's Road",
];

/** Models of equipment with their tasks and specialty. */
export const MODELS = [
	{ name: 'Rooftop Unit', tasks: ['Too hot', 'Too cold', 'Quarterly inspection'], specialty: 0 },
	{ name: 'Water Heater', tasks: ['No hot water', 'Leaking'], specialty: 1 },
	{ name: 'Lighting Panel', tasks: ['Lights out', 'Flickering'], specialty: 2 },
	{ name: 'Restroom', tasks: ['Clogged toilet', 'Out of supplies'], specialty: 3 },
	{ name: 'Entrance Door', tasks: ["Door won't lock", 'Rekey'], specialty: 4 },
	{ name: 'Roof', tasks: ['Leak > 1 gallon/hour', 'Annual survey'], specialty: 5 },
	{ name: 'Elevator', tasks: ['Stuck between floors', 'Certificate renewal'], specialty: 6 },
] as const;

export const COMPLAINTS = [
	'Reported by the front desk.',
	'Second call about this: please hurry!',
	'Temperature is 85°F & rising',
	'Tenant says "it drips"',
	'水漏れがあります',
	'Access code: <see notes>',
] as const;
