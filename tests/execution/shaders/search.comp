// A loop that is left in its middle, with one inside that tests at its end and swaps two variables.
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Values { uint values[]; };

void main() {
    uint at = gl_GlobalInvocationID.x;
    uint first = values[at];
    uint second = first + 13u;
    uint low = 0u;
    uint high = 255u;
    uint steps = 0u;
    while (true) {
        uint middle = (low + high) >> 1;
        steps++;
        if (middle * middle > first * 40u)
            high = middle;
        else
            low = middle;
        if (high - low < 2u)
            break;
        do {
            second = second * 5u + steps;
            uint swapped = first;
            first = second & 1023u;
            second = swapped;
        } while ((second & 7u) > 5u && steps < 40u);
    }
    values[at] = low * 1000u + steps + first + second;
}
