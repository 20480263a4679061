"""The validator: rules by family, and the frame that runs them."""
