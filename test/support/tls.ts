import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';

/** A test key that protects nothing: only tests use it, for `localhost`. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg3V1jQ5O0/KZnDRSJ
M2/G4bXbbkwl6k9ANI8MsK8NFgShRANCAARnl+v+y1qCWcJV1LKfUOUFvnbMTTC6
Pp89Vq2x+UiQGfeb3miASeva38kf+qhe+0GkucrXA9toegBjznIpgNiU
-----END PRIVATE KEY-----`;

const cert = `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUV+0QO2NnMLWd8KGKKIbSzy88evUwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTE1NDQ0M1oYDzIxMjYxMDI4
MTU0NDQzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARnl+v+y1qCWcJV1LKfUOUFvnbMTTC6Pp89Vq2x+UiQGfeb3miASeva
38kf+qhe+0GkucrXA9toegBjznIpgNiUo28wbTAdBgNVHQ4EFgQUMQwrd5DI6kZ7
uGzgnGSLSKO40DYwHwYDVR0jBBgwFoAUMQwrd5DI6kZ7uGzgnGSLSKO40DYwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhAI7DxS//MGD4VXq0djBQrKEp1g2h8gqBkhIfwDpyAXpXAiEA
lDhaI1DDbo6mxLkdBlHny/ttx6rUkgXjEEYBYXpD2aU=
-----END CERTIFICATE-----`;

export const certificate = { key, cert };

/** A certificate for the same names that nobody trusts. */
export const untrusted = {
	key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgDJ2oC9ywvGaMZMw6
16rg4C3RF+LWnquRacbuPQFMQ1ihRANCAAQD/KTwPQF6+Jl8S94eP92lq/C/E9fC
YtZOALeH0QerztHhV6c7JAcMPW+P5ph2p4H3io6jd6XRoY5xOpZ2Jv3s
-----END PRIVATE KEY-----`,
	cert: `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUM1Wz7kpv4pGp3kBzbX1crwrYYD0wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNjE0MTIzOFoYDzIxMjYxMTAy
MTQxMjM4WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQD/KTwPQF6+Jl8S94eP92lq/C/E9fCYtZOALeH0QerztHhV6c7JAcM
PW+P5ph2p4H3io6jd6XRoY5xOpZ2Jv3so28wbTAdBgNVHQ4EFgQUG2djPsYOWXb8
ZSvIbmzm9K0bGjowHwYDVR0jBBgwFoAUG2djPsYOWXb8ZSvIbmzm9K0bGjowDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhAMUixm+f6TVhMc6W231L/6ADx8bIuW9BmlAJTkeXe3ZzAiEA
qumL7Q2WnWRLvt0dSVPuX8332MZVZ4z3sbq4tE0aCAo=
-----END CERTIFICATE-----`,
};

interface Context {
	context: { addCACert(pem: string): void };
}

/** An https server that this process trusts while it runs. */
export async function startTlsServer(answer: RequestListener) {
	const create = tls.createSecureContext.bind(tls);
	const trusting = jest.spyOn(tls, 'createSecureContext').mockImplementation((options) => {
		const made = create(options);
		(made as unknown as Context).context.addCACert(cert);
		return made;
	});
	const server = createServer(certificate, answer);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close: async () => {
			trusting.mockRestore();
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
