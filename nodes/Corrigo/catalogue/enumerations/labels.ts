import { createTable } from '../table';

/** Abbreviations in the names of members, spelled out or in capitals. */
const words = createTable<string>({
	// An underscore joins the names of several members that one member represents.
	_: '+',
	Abbr: 'Abbreviation',
	Acct: 'Account',
	Ack: 'Acknowledge',
	Addr: 'Address',
	Alt: 'Alternate',
	Amt: 'Amount',
	Ap: 'AP',
	Appt: 'Appointment',
	Attr: 'Attribute',
	Avg: 'Average',
	Biz: 'Business',
	Coi: 'COI',
	Cp: 'CP',
	Css: 'CSS',
	Dba: 'DBA',
	Descr: 'Description',
	EMail: 'Email',
	Gl: 'GL',
	Gps: 'GPS',
	Html: 'HTML',
	Id: 'ID',
	Ids: 'IDs',
	Idx: 'Index',
	// The contract misspells the name of one member.
	Instrustions: 'Instructions',
	Ism: 'Induction and Safety',
	Ivr: 'IVR',
	Mh: 'Material',
	Mime: 'MIME',
	Min: 'Minimum',
	Msg: 'Message',
	NA: 'Not Applicable',
	Nte: 'NTE',
	Org: 'Organization',
	Pl: 'PL',
	Po: 'PO',
	Prev: 'Previous',
	Prim: 'Primary',
	Proc: 'Procedure',
	Prop: 'Property',
	Pwd: 'Password',
	Provider: 'Vendor',
	Providers: 'Vendors',
	Qty: 'Quantity',
	Sched: 'Scheduled',
	Sla: 'SLA',
	Sso: 'SSO',
	Ui: 'UI',
	Un: 'Undo',
	Url: 'URL',
	Utc: 'UTC',
	WO: 'Work Order',
	Wo: 'Work Order',
	Won: 'WON',
	Wt: 'Work Template',
	X: 'External',
	Zip: 'ZIP',
});

/** Labels for names that no rule makes readable, or that mean something else. */
const labels = createTable<string>({
	'.Body': 'Text',
	'.CheckInOuts': 'Check-Ins',
	'.CurrencyType': 'Currency',
	'.DEstimatedtDelivery': 'Estimated Delivery',
	'.DayIdxDayOfWeek': 'Day of Week',
	'.Dba': 'DBA (Doing Business As)',
	'.DocType': 'Document Type',
	'.MoveInDate': 'Move-In Date',
	'.MoveOutDate': 'Move-Out Date',
	'.NoteText': 'Text',
	'.NoteTypeLookup': 'Note Type',
	'.ShortLocation': 'Location',
	'ActorType.CommLease': 'Customer',
	'ActorType.CommLeaseSpace': 'Space',
	'ActorType.CorrigoNet': 'System (CorrigoNet)',
	'ActorType.LeaseUser': 'Contact',
	'ActorType.PmRmTemplate': 'PM/RM Template',
	'ActorType.Property': 'Work Zone',
	'AlertType.BadSurevy': 'Bad Survey',
	'AlertType.FlaggedTech': 'Flagged Technician',
	'AssetType.RoomArea': 'Room or Area',
	'CfSharingMode.ReadWrite': 'Read and Write',
	'CostCategory.AddCharges': 'Additional Charges',
	'ForecastGroup.AuthOrPaid': 'Authorized or Paid',
	'LsNoteAccess.AddEdit': 'Add and Edit',
	'MhUnit.Ft': 'Foot',
	'MhUnit.Gal': 'Gallon',
	'MhUnit.Kg': 'Kilogram',
	'MhUnit.Lb': 'Pound',
	'MhUnit.Ml': 'Milliliter',
	'MhUnit.Oz': 'Ounce',
	'PTEType.PTE': 'Permission to Enter (PTE)',
	'TaskSelfHelpType.YouTube': 'YouTube',
	'TaxValidationStatus.Provider': 'Provider',
	'UIType.IntegrationWS': 'Integration (Web Services)',
	'UIType.OTHER': 'Other',
	'VendorType.UseVendorPrLst': 'Use Vendor Price List',
	'WOActionType.APInvStatus': 'AP Invoice Status',
	'WOActionType.AckByChanged': 'Acknowledge-By Changed',
	'WOActionType.Attention': 'Attention (Flag Set)',
	'WOActionType.ItemAddRemove': 'Item Added or Removed',
	'WOActionType.OnSiteByChanged': 'On-Site-By Changed',
	'WOActionType.ProcedureAddRemove': 'Procedure Added or Removed',
	'WOActionType.WonDocAttach': 'WON Document Attached',
	'WOActionType.WonPaymentSend': 'WON Payment Sent',
	'WOActionType.WonWoRecall': 'WON Work Order Recalled',
	'WOActionType.WonWoSend': 'WON Work Order Sent',
	'WOActionType.WonWoUpdate': 'WON Work Order Updated',
	'WoScheduleOptions.SkipAcknowledgeBy': 'Skip Acknowledge-By',
	'WoScheduleOptions.SkipOnSiteBy': 'Skip On-Site-By',
});

const word = /EMail|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|_/g;

/** Spells a name as words: "Work Order Note" for WoNote. */
export function toTitle(name: string): string {
	const parts = name.replace(/^[a-z]/, (first) => first.toUpperCase()).match(word) ?? [name];
	return parts
		.map((part) => words[part] ?? part)
		.join(' ')
		.replace(/ (And|As|For|In|Of|On|Or|To) /g, (small) => small.toLowerCase());
}

/** Abbreviations stay in capitals. */
export const lowerWords = (label: string): string =>
	label
		.split(' ')
		.map((part) => (/^[A-Z]{2}/.test(part) ? part : part.toLowerCase()))
		.join(' ');

export const getMemberLabel = (enumeration: string, member: string): string =>
	labels[`${enumeration}.${member}`] ?? toTitle(member);
