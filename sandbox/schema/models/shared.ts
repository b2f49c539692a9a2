import { model } from '../model';

export const shared = {
	MoneyValue: model('', { CurrencyTypeId: 'CurrencyType', Value: 'number' }),
	EntitySpecifier: model('', { EntityType: 'EntityType' }),
	Actor: model('', { TypeId: 'ActorType', DisplayAs: 'string' }),
};
