/** The example for mails, with a real mail server on one side and an SMTP server on the other. */
import { startSandbox } from '../../sandbox';
import { readExample } from '../examples';
import { itemsOf, type Workflow } from '../n8n/api';
import { waitFor } from '../waitFor';
import { withCredential } from '../workflows/credentials';
import { ownerApi, testEnvironment } from './environment';
import { Mailbox } from './mailbox';
import { startMailServer } from './mailServer';

const { credential } = testEnvironment();
const api = ownerApi(testEnvironment());

const PHOTO = Buffer.from('a photo').toString('base64');

const buildMail = (id: string, from: string, subject: string, text: string, thread = '') => [
	...(thread && [`References: ${thread}`]),
	...[`Message-ID: <${id}@tenant.example>`, `From: Ava Brown <${from}>`, 'To: desk@example.com'],
	...[`Subject: ${subject}`, `Date: ${new Date().toUTCString()}`, 'MIME-Version: 1.0'],
	...['Content-Type: multipart/mixed; boundary="part"', '', '--part'],
	...['Content-Type: text/plain; charset=utf-8', '', text, '--part'],
	...['Content-Type: image/jpeg; name="leak.jpg"', 'Content-Transfer-Encoding: base64'],
	...['Content-Disposition: attachment; filename="leak.jpg"', '', PHOTO, '--part--', ''],
];

it('creates one order with its photo from a mail, answers it, and adds a reply as a note', async () => {
	const [mailbox, server, sandbox] = await Promise.all([
		Mailbox.start(),
		startMailServer(),
		startSandbox({ workOrders: 20 }),
	]);
	const { store } = sandbox;
	const [{ Address }] = store
		.rows('ContactInfo')
		.filter(({ ActorTypeId, Address }) => ActorTypeId === 'LeaseUser' && /@/.test(String(Address)));
	const sender = String(Address);
	const imap = await api.createCredential('Desk mailbox', 'imap', server.credential);
	const smtp = await api.createCredential('Desk answers', 'smtp', mailbox.credential);
	const own = await api.createCredential('Mail sandbox', credential.type, sandbox.credentials);
	const example = withCredential(readExample('mail-to-work-order.json'), own);
	const file = withCredential(withCredential(example, imap, '.emailReadImap'), smtp, '.emailSend');
	const workflow = await api.createWorkflow({ ...file, name: 'Mail to work order (e2e)' });
	let active: Workflow | undefined;
	const mail = buildMail('1', sender, 'Water on the floor', 'Since this morning');
	const findOrders = () =>
		store
			.rows('WoLastAction')
			.filter(({ XNumber }) => String(XNumber).startsWith('<1@tenant.example> '));
	try {
		active = await api.activate(workflow);
		await server.deliver(mail);
		const answer = await mailbox.mailWith('Your request is work order');
		const [{ Id }, ...others] = findOrders();
		const { Number: number } = store.existing('WorkOrder', Id);
		expect(others).toEqual([]);
		expect(answer).toContain(`Subject: Work order ${String(number)}: Water on the floor`);
		expect(answer).toContain(`To: ${sender}`);
		const [document] = store.children('Document', 'ActorId', Id);
		const { Id: blob } = document.Blob as { Id: number };
		expect(store.existing('Blob', blob)).toMatchObject({ FileName: 'leak.jpg', Body: PHOTO });

		await server.deliver(mail);
		const subject = `Re: Work order ${String(number)}: Water on the floor`;
		await server.deliver(buildMail('2', sender, subject, 'It runs faster'));
		await server.deliver(
			buildMail('3', sender, 'Re: Water on the floor', 'And upstairs', '<1@tenant.example>'),
		);
		const repeated = await waitFor(
			'both mails of the thread have come again',
			async () => {
				const ended = await api.executions(workflow.id, 'success');
				const all = await Promise.all(ended.map(async (one) => await api.execution(one.id)));
				return all.flatMap((one) => itemsOf(one, 'Create work order')).map(({ json }) => json);
			},
			({ length }) => length > 2,
		);
		const notes = await waitFor(
			'the replies are notes',
			() => store.children('WoNote', 'WorkOrderId', Id),
			({ length }) => length > 1,
		);
		const bodies = ['It runs faster', 'And upstairs'].map((text) => `${sender}:\n${text}`);
		expect(notes.map(({ Body }) => Body).sort()).toEqual(bodies.sort());
		expect(notes.map(({ NoteTypeId }) => NoteTypeId)).toEqual(['Private', 'Private']);
		const other = { Id, AlreadyExisted: true };
		expect(repeated.filter(({ AlreadyExisted }) => AlreadyExisted)).toMatchObject([other, other]);
		expect(findOrders()).toHaveLength(1);
		expect(mailbox.mails).toHaveLength(1);
	} finally {
		if (active) await api.deactivate(active);
		for (const one of [imap, smtp, own]) await api.deleteCredential(one);
		await Promise.all([mailbox.close(), server.close(), sandbox.close()]);
	}
});
