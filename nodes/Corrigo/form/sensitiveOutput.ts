/** Passwords, and links that anybody can open. Versions of n8n that support it hide these fields. */
export const sensitiveOutputFields: string[] = [
	...['Password', 'WouldChange.Password', 'WouldSend.body.Entity.Password'],
	...['DocUrl', 'Documents[*].DocUrl', 'records[*].DocUrl'],
	'CommandResult.Results[*].Url',
];
