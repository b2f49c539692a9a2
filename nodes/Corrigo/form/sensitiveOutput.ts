/** Passwords, and links that anybody can open, are hidden by versions of n8n that support it. */
export const sensitiveOutputFields: string[] = [
	...['Password', 'WouldChange.Password', 'WouldSend.body.Entity.Password'],
	...['DocUrl', 'Documents[*].DocUrl', 'records[*].DocUrl'],
	'CommandResult.Results[*].Url',
];
