import { words } from './model';

/** Every name the service takes in `/base/{Entity}` and `/query/{Entity}`. */
export const ENTITY_NAMES = words(`
	Actor Address Address2 AlertScope AlertSubscription ApInvoiceStatus ApprovalScope
	ApprovalTemplate ApprovalTemplateStep AssetAttribute AssetInfo AssetSystem AssetTemplate
	AssetTree AttributeDescriptor AttributeOption BillToOption BillingAccount Blob BusinessHours
	ChargeCodeLookup Contact ContactAddress ContactInfo ContactMoneyValues Contract
	CorporateEntity CustomField CustomField2 CustomFieldAutocompleteOption CustomFieldDescriptor
	CustomFieldOption Customer CustomerNoteType Disposition Document DocumentType Employee
	EscalationRule FinancialItem GLAccount Holiday InternalCostStatus Invoice
	InvoiceDictionaryItem InvoiceLine InvoiceLog LaborCode LinkContactAndGroup
	LinkCustomerAndGroup LinkModelAndAttribute LinkPortfolioAndWorkZone
	LinkProcedureCategoryAndTemplate LinkProductAndSupplier LinkProviderAndService
	LinkProviderPriceList LinkTeamAndWorkZone LinkUserAndCustomerGroup LinkUserAndPortfolio
	LinkUserAndSpecialty LinkUserAndStockLocation LinkUserAndTeam LinkUserAndWorkZone Location
	MaterialTransaction MaterialTransactionItem Model Note OnCallRule Organization Payment
	PaymentItem PmItem PmSchedule Portfolio PriceList PriceListItem PrintoutTemplate
	ProcedureCategory ProcedureFlagReason ProcedureTemplate ProcedureTemplateStep Product
	ProductCategory ProductMoneyValues ProviderCoi QuoteOrEstimateItem RepairCode
	ReplenishmentOrder ReplenishmentOrderItem Responsibility ResponsibilityType Role
	RoleMoneyValues SlaValuesOverride Space SpecDispatchRule Specialty SpecialtyMoneyValues
	StockLocation StockLocationInventoryDetails Task TaskMoneyValues TaxCode TaxRegion
	TaxRegionItem Team TimeCard TimeCardItem TimeCardWeek TimeOff TimePeriod ToDoItem ToDoType
	Turn UserPayRate UserPayRateMoneyValues Warranty WoActionLog WoActionLogProp
	WoActionReasonLookup WoAssignment WoEquipment WoEstimate WoFlag WoItem WoLastAction WoNote
	WoOnSite WoPriority WoProcedure WoProcedureStep WoQuote WoVerification WorkOrder
	WorkOrderCost WorkOrderType WorkZone WpTree
`);
