/** Stores a value as the newest of a cache, which forgets its oldest values beyond `max`. */
export function remember<K, V>(cache: Map<K, V>, key: K, value: V, max: number): void {
	cache.delete(key);
	cache.set(key, value);
	const [oldest] = cache.keys();
	if (cache.size > max) cache.delete(oldest);
}
