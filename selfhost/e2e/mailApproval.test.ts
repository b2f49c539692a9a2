/** The example in which a person decides about a mail, with a real mail server and n8n's own forms. */
import { startSandbox } from '../../sandbox';
import { openBrowser } from '../browser/editor';
import { readExample } from '../examples';
import type { Workflow } from '../n8n/api';
import { waitFor } from '../waitFor';
import { withCredential } from '../workflows/credentials';
import { ownerApi, testEnvironment } from './environment';
import { Mailbox } from './mailbox';
import { startMailServer } from './mailServer';

const { credential } = testEnvironment();
const api = ownerApi(testEnvironment());

const PHOTO = Buffer.from('a photo').toString('base64');

const buildMail = (id: string, from: string, subject: string) => [
	...[`Message-ID: <${id}@tenant.example>`, `From: Ava Brown <${from}>`, 'To: desk@example.com'],
	...[`Subject: ${subject}`, `Date: ${new Date().toUTCString()}`, 'MIME-Version: 1.0'],
	...['Content-Type: multipart/mixed; boundary="part"', '', '--part'],
	...['Content-Type: text/plain; charset=utf-8', '', 'Since this morning', '--part'],
	...['Content-Type: image/jpeg; name="leak.jpg"', 'Content-Transfer-Encoding: base64'],
	...['Content-Disposition: attachment; filename="leak.jpg"', '', PHOTO, '--part--', ''],
];

it('creates an order from a mail only after an approval, also of somebody to whom it was forwarded', async () => {
	const [mailbox, server, sandbox, browser] = await Promise.all([
		Mailbox.start(),
		startMailServer(),
		startSandbox({ workOrders: 20 }),
		openBrowser(),
	]);
	const { store } = sandbox;
	const [{ Address }] = store
		.rows('ContactInfo')
		.filter(({ ActorTypeId, Address }) => ActorTypeId === 'LeaseUser' && /@/.test(String(Address)));
	const imap = await api.createCredential('Shared inbox', 'imap', server.credential);
	const smtp = await api.createCredential('Decisions', 'smtp', mailbox.credential);
	const own = await api.createCredential('Inbox sandbox', credential.type, sandbox.credentials);
	const example = withCredential(readExample('mail-approval-to-work-order.json'), own);
	const file = withCredential(withCredential(example, imap, '.emailReadImap'), smtp, '.emailSend');
	const workflow = await api.createWorkflow({ ...file, name: `${file.name} (e2e)` });
	let active: Workflow | undefined;
	const page = await browser.newPage();

	const findOrders = () =>
		store
			.rows('WoLastAction')
			.filter(({ XNumber }) => String(XNumber).includes('@tenant.example>'));

	/** Follows the link in the message to an approver, and submits the form. */
	async function decide(to: string, subject: string, choices: Record<string, string>) {
		const mail = await waitFor(
			`a message about "${subject}" to ${to} has arrived`,
			() => mailbox.mails.find((one) => one.includes(`To: ${to}`) && one.includes(subject)),
			(found) => found !== undefined,
		);
		const [found] = /https?:\/\/[^\s"<>]*approved=true[^\s"<>]*/.exec(String(mail)) ?? [];
		const link = String(found).replaceAll('&amp;', '&');
		await waitFor(
			'the execution waits for the decision',
			async () => await api.executions(workflow.id, 'waiting'),
			(waiting) => waiting.some(({ id }) => link.includes(`/${id}/`)),
		);
		await page.goto(link);
		for (const [label, choice] of Object.entries(choices)) {
			await page.getByLabel(label).selectOption(choice);
		}
		await page.getByRole('button', { name: 'Submit' }).click();
		await page.getByText('Got it, thanks').waitFor();
	}

	try {
		active = await api.activate(workflow);
		await server.deliver(buildMail('1', String(Address), 'Water on the floor'));
		await server.deliver(buildMail('2', String(Address), 'A new kitchen'));
		const forward = { Decision: 'Forward', 'Forward to': 'manager@example.com' };
		await decide('approver@example.com', 'Water on the floor', forward);
		await decide('approver@example.com', 'A new kitchen', { Decision: 'Deny' });
		await mailbox.mailWith('did not become a work order');
		expect(findOrders()).toEqual([]);
		await decide('manager@example.com', 'Water on the floor', { Decision: 'Approve' });

		const answer = await mailbox.mailWith('Your request is work order');
		const [{ Id }, ...others] = findOrders();
		expect(others).toEqual([]);
		const { Number: number } = store.existing('WorkOrder', Id);
		expect(answer).toContain(`Subject: Work order ${String(number)}: Water on the floor`);
		const [document] = store.children('Document', 'ActorId', Id);
		const { Id: blob } = document.Blob as { Id: number };
		expect(store.existing('Blob', blob)).toMatchObject({ FileName: 'leak.jpg', Body: PHOTO });
	} finally {
		await page.close();
		if (active) await api.deactivate(active);
		for (const one of [imap, smtp, own]) await api.deleteCredential(one);
		await Promise.all([mailbox.close(), server.close(), sandbox.close(), browser.close()]);
	}
});
