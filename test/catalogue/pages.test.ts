import { buildOrderUrl, parseOrderUrl } from '../../nodes/Corrigo/catalogue/pages';

const HOST = 'https://acme.corrigo.com';

it('the address of a work order leads back to it', () => {
	expect(parseOrderUrl(buildOrderUrl(HOST, 7))).toEqual({ origin: HOST, id: 7 });
});

it.each([
	`https://ACME.corrigo.com/CorpNet/WorkOrder/WorkOrderDetails.aspx/7`,
	`${HOST}/corpnet/workorder/workorderdetails.aspx/7/`,
	`${HOST}/corpnet/workorder/workorderdetails.aspx/7?tab=notes#top`,
])('the address %s is that of a work order', (text) => {
	expect(parseOrderUrl(text)).toEqual({ origin: HOST, id: 7 });
});

it.each([
	'7',
	'MTM0000001',
	'https://acme.corrigo.com',
	`${HOST}/corpnet/workorder/workorderlist.aspx`,
	`${HOST}/corpnet/workorder/workorderdetails.aspx/`,
	`${HOST}/corpnet/workorder/workorderdetails.aspx/0`,
	`${HOST}/corpnet/workorder/workorderdetails.aspx/7x`,
	`${HOST}/corpnet/workorder/workorderdetails.aspx/7/8`,
	`${HOST}/other/corpnet/workorder/workorderdetails.aspx/7`,
])('the text %s is not the address of a work order', (text) => {
	expect(parseOrderUrl(text)).toBeUndefined();
});
