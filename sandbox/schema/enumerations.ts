import { words } from './model';

/** Members in declared order: the position is the integer the service takes instead of a name. */
export const ENUMERATIONS: Readonly<Record<string, readonly string[]>> = {
	ActorType: words(`
		Unknown Employee Occupancy CorrigoNet Resident CommLease CommLeaseSpace Property
		Portfolio LeaseGroup LeaseUser Supplier Asset WO Org Warranty WOPrintout Team
		CompanyProp WOAction Landmark Provider ReportTimeSet TenantCoi Model Theme
		CustomerInvoice Payment MhLocation MhProduct PmRmTemplate Document WoProxy Proposal
		PlWoItem Insurance InvTemplate ReportSubscription Requestor ProcTemplateStep Procedure
		MhOrder AssetSystem WorkTemplate WtWoProxy Incident Visit DutyType Estimate Quote
	`),
	AlertType: words(`
		Unknown Emergency ApptReminder ApptChanged FlaggedTech EscalationExpired AssignedWo
		BadSurevy OverdueWoPrior OverdueWo NewWo FlaggedScope WoCancelled WorkPlanComplete
		WoUnassigned WoOnHold WoPriorityChange VisitOverdue ImpairmentOverdue
		ImpairmentWellOverdue TenantCoiExpires QuoteReview CustomerNote OnSiteLatePrior
		BadVerify CWoCreated CWoPutOnHold CWoCancelled CWoPickedUp CWoRejected CApproveQuote
		CVerifyWork CWoCompleted CSendWo CProviderMsg CCustomerEstimate CVendorInvoice CCost
		CApptChange ProposalCurrent ProposalEnds ProposalSkipped PwdExpiration AssetStatus
		ActiveIncident OpenIncident IncidentUpdate CpPwdExpiration ProDisconnect
	`),
	ApState: words(`None Received Paid Waiting Authorized Exported Disputed`),
	ApiTypes: words(`SOAP REST`),
	ApprovalRule: words(`Unknown Always AsNeeded WhenMore`),
	AssetType: words(`Unknown Regular Building Unit Community RoomArea Floor Utility Equipment`),
	BackupRouting: words(`Unassigned OnCall Default`),
	BillStatus: words(`
		NotBilled ReadyToBeBilled Billed ReadyToBeBilled_Billed BilledAndModified
		ReadyToBeBilled_BilledAndModified Billed_BilledAndModified
		ReadyToBeBilled_Billed_BilledAndModified
	`),
	BillToTypeRule: words(`None LogicDisabled WoDisabled`),
	BillingRule: words(`
		Unknown VendorAndServiceFee Contract NotBilled ServiceFee All CostsAndFees
		ApprovedEstimate
	`),
	CfSharingMode: words(`None ReadOnly ReadWrite`),
	CfType: words(`
		Unknown String Integer Decimal Money Phone Date Time Boolean Url Text StringAutocomplete
	`),
	ChangeAssignmentMode: words(`Primary AddSecondary RemoveSecondary Snapshot`),
	CiActionType: words(`
		Created TaxComputed Posted Paid PaymentSubmitted Disputed Approved DocumentAttached
		Recalled ManuallySent
	`),
	CiInvoiceState: words(`Draft Posted Credit CreditUsed Paid PaidInFull Approved`),
	CiItemType: words(`WorkOrder GroupHeader GroupChild None`),
	CompletionNoteOptions: words(`Ignore Replace FillEmpty`),
	ConditionOperator: words(`
		Between Equal GreaterOrEqual GreaterThan In LessOrEqual LessThan Like NotBetween
		NotEqual NotIn NotLike NotNull Null
	`),
	ContactAddrType: words(`
		Unknown PrimPhone PrimEmail AltPhone Pager EmergencyEMail EmergencyPhone AltEmail EMail1
		EMail2 EMail3 HomePhone OfficePhone MobilePhone WAP Fax Contact Website CssEmail
		CssPhone
	`),
	CostCategory: words(`
		Unknown Labor Material Misc Vendor SpotPurchase AddCharges Services Shipping Adjustments
		Tax
	`),
	CostState: words(`Pending Submitted Approved Exported`),
	CurrencyType: words(`
		Unknown VUV FJD PGK TOP CFP SBD WST MUR BMD SAR BGN TWD CZK DKK EUR USD ILS HUF JPY KRW
		PLN BRL RON RUB HRK SEK THB TRY PKR IDR VND AMD ZAR INR MYR KZT KES KHR MMK LKR PHP NGN
		CNY CHF GBP MXN BND NOK BDT EGP HKD AUD SGD CAD DZD MOP NZD CRC MAD TND OMR VES COP PEN
		JOD ARS LBP KWD CLP AED UYU BHD QAR RSD AZN UZS
	`),
	DistanceUnit: words(`Unknown Kilometer Mile`),
	DocumentStorageType: words(`Local URL Cloud WonDocument WonNote CloudShared`),
	DraftProcessStep: words(`NA Pending ReadyToPost FailedTax FailedPost Disputed Recalled`),
	DuplicateUnitMode: words(`Unknown Fail Reuse Ignore`),
	EmployeeWonStatus: words(`NA NotConnected Suspended Connected Invited`),
	ExcludeCoi: words(`InheritGlobalSettings No ExcludeAndBlock ExcludeAndWarn`),
	ForecastGroup: words(`None Waiting Submitted AuthOrPaid`),
	GeoStatus: words(`None Failed Protected`),
	InsuranceStatus: words(`None Expired ExpiringSoon Current`),
	IsmStatus: words(`NotApplicable NotRequired Passed PassedManual Waiting Started`),
	JurisdictionType: words(`Country Composite State County City Special`),
	LaborCodeType: words(`Unknown Time Allowance`),
	LeaseContactType: words(`Unknown Alternate Emergency Primary`),
	LeasingSpaceStatus: words(`Unknown Historical Current OnNotice Pending`),
	LogicalOperator: words(`And Or`),
	LsNoteAccess: words(`Unknown None View AddEdit`),
	MhLocationType: words(`Other Garage Basement Closet Warehouse StoreRoom Truck Cylinder`),
	MhOrderStatus: words(`Unknown Pending OnOrder Shipped Received Partial Cancelled`),
	MhTransactionType: words(`Other Receive UseInService Issue Adjust Return Transfer Remove`),
	MhUnit: words(`Unit Kg Lb Liter Gal Ml Oz Meter Ft Box Set Package`),
	OnSiteValidationResult: words(`Unknown Unverified Invalid Valid`),
	OnSiteValidationType: words(`Unknown Barcode Gps Ivr`),
	OrderType: words(`Ascending Descending`),
	PTEType: words(`Unknown PTE Appointment CallFirst NotApplicable`),
	PaymentMethod: words(`Check Cash CreditCard EFT AccountCredit`),
	PaymentState: words(`Draft Credit Posted`),
	PortfolioType: words(`Unknown Grouping Primary`),
	PriceListType: words(`Customer Vendor`),
	PrintoutStatus: words(`NotValidated Valid Invalid`),
	ProcedureStatus: words(`Unknown Open NA Done`),
	ProcedureStepType: words(`Unknown Text Field Attribute Document`),
	ProcedureType: words(`Regular Legacy WON`),
	Protocols: words(`HTTP HTTPS`),
	ProviderlType: words(`Regular Supplier Landlord`),
	QuoteStatus: words(
		`Unknown NotSubmitted Requested WaitingForApproval Approved Rejected InProposal`,
	),
	RateType: words(`Fixed Amount Percentage`),
	SchedInterval: words(`Unknown Day Week Month Quarter Year Custom Weather`),
	StreetAddrType: words(`Unknown Alt Primary Home`),
	TaskSelfHelpType: words(`Html Hyperlink YouTube`),
	TaxValidationStatus: words(`Unknown None Success Failure Provider`),
	TimeCardAction: words(`
		Uknown Flag Submit Approve Export ClearFlag UnSubmit UnApprove UnExport ReadyForExport
		NotReadyForExport
	`),
	TimeCardStatus: words(`Unknown Pending Submitted Approved Exported ReadyForExport`),
	TimeCardType: words(`Uknown Clock Manual WoLabor Allowance`),
	TurnStatus: words(`Pending Failed Done`),
	UIType: words(`
		Unknown Corp CallCenter Wireless Resident Monitor System IVR Offline IntegrationWS WON
		WonRequestor CustomerPortalApp JetApp OTHER
	`),
	VendorType: words(`Editable NonEditable Hidden UseVendorPrLst`),
	WOActionProperty: words(`
		Unknown FlagId SignedBy SignedEmail CostStatusId CostStatus Rating ItemAdded ItemRemoved
		AssignmentRemoved AssignmentAdded InvoiceId ApInvoiceId ApInvoiceName ByContactId
		ScanType CustomerAdded CustomerRemoved TriggerEventId PrevWoStatus MsgAddressedTo
		MsgAddress ApptWindowStart ApptWindowEnd UiSubType ProviderNotCompliant IntValues
		RequestorWorkZoneId RequestorCustomerId InitialReasonID RequestorWorkZoneNumber
		RequestorWorkZoneName
	`),
	WOActionType: words(`
		Unknown Create PickUp Start OnHold Complete Cancel Reopen Assign Attention APInvStatus
		Archived Restored Stop AccessChanged Billed DueDateChanged Note Message QuoteRequested
		CostStatus BillingRuleChanged OwnerChanged Signature ApprovalStart ApprovalEnd
		ApGlAccountChanged EstimateRejected EstimateApproved ItemAddRemove WarrantyFlagChanged
		AutoWarranty OnSiteByChanged AckByChanged CustomerChanged EstimateSubmitted WonWoSend
		WonWoRecall WonWoUpdate WonPaymentSend Verified CustomerNteChanged PriorityChanged
		SchedStartChanged VendorNteChanged WonDocAttach QuoteSubmitted FlagCleared QuoteRejected
		QuoteApproved VisitDeleted ApInvoiceCleared ProcedureAddRemove ApInvoiceTaxUpdate
		IsmStatusChanged Moved
	`),
	WONoteType: words(`Unknown Completion Public Private`),
	WOStatus: words(`Unknown Open Paused Cancelled New OnHold InProgress Completed`),
	WOType: words(`Unknown Basic PMRM Turn Request`),
	WarrantyStatus: words(`None Expired Active`),
	WoCostExclusion: words(`None Item Category Min`),
	WoCostLineType: words(`Unknown Cost Vendor ServiceFee`),
	WoEquipmentType: words(`Unknown New Known NotRelated`),
	WoRating: words(`Unknown NotVerified Negative Neutral Positive NotCompleted`),
	WoScheduleOptions: words(`
		None SkipWarranty SkipScheduling SkipFinancial SkipPTE SkipDueDate SkipOnSiteBy
		SkipAcknowledgeBy
	`),
	WorkOrderStatus: words(`Unknown Open Paused Cancelled New OnHold InProgress Completed`),
};
