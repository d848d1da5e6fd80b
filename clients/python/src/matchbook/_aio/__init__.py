"""The client. The synchronous one, `matchbook._sync`, is generated from it when the package is built."""
