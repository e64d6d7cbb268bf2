"""What the commands of `whichgpu` do: ask, batch, chat."""
