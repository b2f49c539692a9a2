import { isIgnoredAuthor } from '../../../nodes/Corrigo/trigger/changes/attached';

const authors = [
	{ id: 330, name: 'Web Services User' },
	{ id: 42, name: 'Ava Brown' },
];

it.each([
	['the employee under another name', { Id: 330, TypeId: 'Employee', DisplayAs: 'Renamed' }],
	['the employee without a name', { Id: 330, TypeId: 'Employee' }],
	['a service provider, who is an employee', { Id: 42, TypeId: 'Provider' }],
	['the same user as the system', { Id: 42, TypeId: 'CorrigoNet', DisplayAs: 'Ava Brown' }],
	['the same user of an unknown kind', { Id: 42, TypeId: 'New', DisplayAs: 'Ava Brown' }],
	['the same user of no kind', { Id: 42, DisplayAs: 'Ava Brown' }],
])('a change is by an ignored employee if it was made by %s', (_, made) => {
	expect(isIgnoredAuthor(authors, made)).toBe(true);
});

it.each([
	['another employee', { Id: 331, TypeId: 'Employee', DisplayAs: 'Web Services User' }],
	['a contact with the same ID', { Id: 42, TypeId: 'LeaseUser', DisplayAs: 'Ava Green' }],
	['the system with the same ID', { Id: 330, TypeId: 'CorrigoNet', DisplayAs: 'Corrigo' }],
	['the system without a name', { Id: 330, TypeId: 'CorrigoNet' }],
	['two employees at once', { Id: 330, TypeId: 'CorrigoNet', DisplayAs: 'Ava Brown' }],
	['an ID alone', { Id: 330 }],
	['nobody', null],
	['an unknown author', undefined],
])('a change is not by an ignored employee if it was made by %s', (_, made) => {
	expect(isIgnoredAuthor(authors, made)).toBe(false);
});

it('no change is by an ignored employee where none is ignored', () => {
	expect(isIgnoredAuthor([], { Id: 330, TypeId: 'Employee' })).toBe(false);
});
