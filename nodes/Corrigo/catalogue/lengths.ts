import type { CommandMember, CommandName } from './commands';
import type { MemberName, OwnerName } from './entities';
import { createTable } from './table';

/** Longest texts that Corrigo keeps, where its documents say so. */
const LENGTHS = createTable<Readonly<Record<string, number>> | undefined>({
	ApSubmitPaymentCommand: { CheckNumber: 64 },
	Contact: { Comment: 256, FirstName: 50, LastName: 50, Number: 64 },
	CustomFieldDescriptor: { Name: 64 },
	Customer: { Dba: 64, DisplayAs: 64, Instructions: 3072, Name: 64, TenantCode: 64 },
	Employee: { DisplayAs: 256, FirstName: 80 },
	Location: { Name: 64 },
	Space: { Instructions: 256 },
	WoActionLog: { Comment: 3072 },
	WoCreateCommand: { ExternalNumber: 256 },
	WoItem: { AssetLocation: 128, Comment: 3096 },
	WoLastAction: { XNumber: 256 },
	WorkOrder: { ContactName: 256 },
	WorkOrderCost: { AuthorizationCode: 32, CheckNumber: 64 },
} satisfies { [Owner in OwnerName]?: { [Name in MemberName<Owner>]?: number } } & {
	[Name in CommandName]?: { [Member in CommandMember<Name>]?: number };
});

export const findMaxLength = (owner: string, member: string): number | undefined =>
	createTable(LENGTHS[owner] ?? {})[member];

/** Adds the limit of a text, if it is known. */
export function addLimit(description: string, owner: string, member: string): string {
	const length = findMaxLength(owner, member);
	return length === undefined ? description : `${description}, up to ${length} characters`;
}
