// On the server, Node loads the package, which then finds its binary beside itself.
export default { serverExternalPackages: ['multihead-attention'] };
