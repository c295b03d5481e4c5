// The provider of the npm package oidc-provider, with its own pages for signing in. It takes the
// port, and the URL to which the registry wants people sent back, and prints a line once it listens.
import Provider from 'oidc-provider';

const [port, redirect] = process.argv.slice(2);
const issuer = `http://127.0.0.1:${port}`;

const provider = new Provider(issuer, {
  clients: [{
    client_id: 'registry',
    client_secret: 'a secret: 100% + /',
    redirect_uris: [redirect],
  }],
  claims: { profile: ['preferred_username'], email: ['email', 'email_verified'] },
  cookies: { keys: ['of a test'] },
  findAccount: (context, id) => ({
    accountId: id,
    claims: () => ({
      sub: id, preferred_username: `${id}.lovelace`, email: `${id}@example.org`, email_verified: true,
    }),
  }),
});

provider.listen(Number(port), '127.0.0.1', () => console.log('listening'));
